// A bot and an exchange whose control interface is open: faults on the wire, keys that come and go, and which request
// became what.
import { z } from 'zod';
import { type Changes, newProject, type Project, until } from './bot-process.ts';
import { freePort } from './free-port.ts';

const labelSchema = z.object({
  number: z.number(),
  at: z.number(),
  endpoint: z.string().nullable(),
  outcomes: z.array(z.object({ at: z.number(), status: z.number(), orderId: z.string().nullable() })),
});
export type Label = z.output<typeof labelSchema>;

const faultSchema = z.object({ id: z.string(), hits: z.number() });

export class ControlledProject {
  readonly project: Project;
  readonly controlUrl: string;

  constructor(project: Project, controlPort: number) {
    this.project = project;
    this.controlUrl = `http://127.0.0.1:${controlPort}`;
  }

  async control(method: string, at: string, body?: object): Promise<unknown> {
    const given = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${this.controlUrl}${at}`, { method, ...(body === undefined ? {} : given) });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${at}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Orders a fault on the wire; returns its id. */
  async fault(order: object): Promise<string> {
    return faultSchema.parse(await this.control('POST', '/faults', order)).id;
  }

  /** Resolves once a request has met the fault. */
  async met(id: string): Promise<void> {
    const hit = async (): Promise<boolean> => {
      const faults = z.array(faultSchema).parse(await this.control('GET', '/faults'));
      return faults.some((each) => each.id === id && each.hits > 0);
    };
    await until(`${id} is met`, hit, { everyMs: 5 });
  }

  /** An order that the owner enters by hand, far from the market; returns its name. */
  async placeByHand(): Promise<string> {
    const before = new Set((await this.project.truth()).orders.map(({ orderId }) => orderId));
    const terms = { type: 'LIMIT', price: '1000000' };
    const order = { kind: 'place-order', account: 'owner', symbol: 'BTC/INR', side: 'buy', quantity: '0.01', terms };
    await this.control('POST', '/owner-actions', order);
    const placed = (await this.project.truth()).orders.find(
      (each) => !before.has(each.orderId) && each.price === '1000000',
    );
    if (placed === undefined) throw new Error('The owner has no order.');
    return placed.orderId;
  }

  /** Every request as it came to the exchange, oldest first. */
  async requests(): Promise<readonly Label[]> {
    const found: Label[] = [];
    for (let after = 0; ; ) {
      const page = z.array(labelSchema).parse(await this.control('GET', `/requests?limit=5000&after=${after}`));
      found.push(...page);
      if (page.length < 5_000) return found;
      after = page.at(-1)?.number ?? after;
    }
  }

  /** Creates as they came to the exchange, oldest first. */
  async creates(): Promise<readonly Label[]> {
    return (await this.requests()).filter(({ endpoint }) => endpoint === 'create');
  }

  orderIds(): Promise<readonly string[]> {
    return this.project.orderIds();
  }

  quotes(count?: number): Promise<unknown> {
    return this.project.quotes(count);
  }
}

/** A project of its own for one test, with the control interface on a port of its own. */
export async function controlledParts(changes: Changes): Promise<{ project: Project; controlPort: number }> {
  const controlPort = await freePort();
  return { project: await newProject({ 'paper.control': { port: controlPort }, ...changes }), controlPort };
}

export async function controlledProject(changes: Changes = {}): Promise<ControlledProject> {
  const { project, controlPort } = await controlledParts(changes);
  return new ControlledProject(project, controlPort);
}
