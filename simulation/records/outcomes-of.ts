// What an answer to a create or a cancel may be told as (order-truth §1): from its status and its text alone.
import type { Answered } from '../checks/context.ts';

type Answer = Pick<Answered, 'status' | 'text'>;

/** Of one that was cut off, or is no object, nothing can be told. */
export function bodyOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

const nameIn = (data: unknown): unknown => (data as { readonly order_id?: unknown } | null | undefined)?.order_id;

export function createOutcomesOf({ status, text }: Answer): readonly string[] {
  if (status === null) return ['unknown', 'not-sent'];
  const body = bodyOf(text);
  if (status === 200) {
    const id = nameIn(body?.data);
    // One that another order has, or had, is no name.
    if (id) return ['accepted', 'unknown'];
    return body !== null && typeof body.msg === 'string' && !('data' in body) && !('code' in body)
      ? ['soft-rejected']
      : ['unknown'];
  }
  if (status === 429) return ['soft-rejected'];
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  return isRefusal && body?.code !== undefined && typeof body.msg === 'string' ? ['rejected', 'unknown'] : ['unknown'];
}

export function cancelOutcomesOf({ status, text }: Answer): readonly string[] {
  if (status === null) return ['unknown', 'not-sent'];
  const body = bodyOf(text);
  if (status === 200)
    return body !== null && typeof body.msg === 'string' && !('code' in body) ? ['acknowledged'] : ['unknown'];
  if (status === 429) return ['throttled'];
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  return isRefusal && body?.code !== undefined && typeof body.msg === 'string' ? ['rejected', 'unknown'] : ['unknown'];
}
