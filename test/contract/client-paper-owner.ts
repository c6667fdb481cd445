// The owner of an account, and the world around it, at the exchange's control interface: over a socket, as a script
// would.
import type { z } from 'zod';
import type { OwnerActionAnswer, ownerActionSchema } from '../../src/paper/state/owner-actions.ts';
import { send } from './paper-connection.ts';

/** An action as JSON: amounts are text. */
export type Act = z.input<typeof ownerActionSchema>;

export interface Owner {
  /** Throws where the exchange refuses. */
  act(action: Act): Promise<OwnerActionAnswer>;
  /** Name of a transfer that `action` begins. */
  begins(action: Act): Promise<string>;
}

export function ownerAt(controlUrl: string): Owner {
  async function act(action: Act): Promise<OwnerActionAnswer> {
    const answer = await send(controlUrl, {
      method: 'POST',
      target: '/owner-actions',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    if (answer.status !== 200) throw new Error(`${JSON.stringify(action)} got ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  }
  return {
    act,
    begins: async (action) => {
      const answer = await act(action);
      if (answer.kind !== 'transfer') throw new Error(`${action.kind} is no transfer but ${answer.kind}.`);
      return answer.transferId;
    },
  };
}
