import 'server-only'
import { DatabaseUnavailableError } from '../process/database'
import { SetupError } from '../process/setup'

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string }

/**
 * Runs a read for a page. What the operator can mend (settings, the database file) comes back as a message to print;
 * everything else is a fault and is thrown on.
 */
export async function attempt<T>(read: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await read() }
  } catch (error) {
    if (error instanceof DatabaseUnavailableError || error instanceof SetupError) {
      return { ok: false, problem: error.message }
    }
    throw error
  }
}
