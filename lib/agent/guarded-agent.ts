import type { CallScope } from '../engine/jobs/call-scope'
import type { LiveAgent } from './live-agent'

/** What an agent may do in the middle of a pass: save its memory. It calls the manager, which serves it at once. */
export const SERVED = 'onFlush'

/**
 * The same agent, whose callbacks run in their own scope, so that a call to the manager that comes from one of
 * them is known, and never waits for the pass that it is a part of.
 */
export function guardedAgent<M>(agent: LiveAgent<M>, scope: CallScope): LiveAgent<M> {
  const { curate, hooks, onFlush, plan } = agent
  const callbacks: Partial<LiveAgent<M>> = {
    ...(curate && { curate: (context) => scope.run('curate', async () => curate.call(agent, context)) }),
    ...(onFlush && { onFlush: (prompt) => scope.run(SERVED, async () => onFlush.call(agent, prompt)) }),
    ...(plan && { plan: () => scope.run('plan', async () => plan.call(agent)) }),
    ...(hooks && {
      hooks: {
        has: (event) => hooks.has?.(event) ?? true,
        run: (event, facts) => scope.run('hooks.run', async () => hooks.run(event, facts)),
      },
    }),
  }
  // What it has from a class it keeps.
  return Object.assign(Object.create(agent), callbacks)
}

/**
 * Work on one conversation, one after the other: who comes second finds what the first one did. An agent that saves
 * its memory is served at once; from any other callback a call would wait for the pass that waits for the callback, and is
 * refused.
 */
export class CallQueue {
  private tail: Promise<unknown> = Promise.resolve()

  constructor(private readonly scope: CallScope) {}

  /** @throws Error with the code `NESTED_CALL` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.demandNoCallback()
    if (this.scope.current() === SERVED) return work()
    const turn = this.tail.then(work)
    this.tail = turn.catch(() => undefined)
    return turn
  }

  /** @throws Error with the code `NESTED_CALL` */
  demandNoCallback(): void {
    const callback = this.scope.current()
    if (callback === null || callback === SERVED) return
    throw Object.assign(
      new Error(
        `The manager was called from \`${callback}\` of the same conversation, which it waits for. Make that call after the one that runs has answered.`,
      ),
      { code: 'NESTED_CALL' },
    )
  }
}
