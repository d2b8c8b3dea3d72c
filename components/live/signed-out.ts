import { writeLiveState } from './live-state'

/** Status of an answer to a visitor who is not signed in. */
const UNAUTHORIZED = 401

/** Asks the server whether this browser is still let in, and notes on the live line when it is not. */
export async function noteSignedOut(): Promise<void> {
  try {
    noteAnswer(await fetch('/api/signed-in', { cache: 'no-store' }))
  } catch {
    // There is no server at all; the live line says so already.
  }
}

/** The same, from any answer of the server. */
export function noteAnswer({ status }: Response): void {
  if (status === UNAUTHORIZED) writeLiveState({ status: 'signed-out' })
}
