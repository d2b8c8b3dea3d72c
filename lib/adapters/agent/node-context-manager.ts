import { ContextManager } from '../../agent/context-manager'
import type { ContextManagerOptions } from '../../agent/manager-options'
import type { ContentMessage } from '../../core/history/thinking'
import { asyncCallScope } from './async-call-scope'

/**
 * A `ContextManager` that knows which calls come from its own callbacks, so that those of others only wait.
 *
 * @example
 * ```ts
 * import { ContextManager, DEFAULT_POLICY } from 'plimsoll-agent'
 *
 * const context = new ContextManager({ policy: DEFAULT_POLICY, window: 200_000, key: null, promptCache: null })
 * context.add({ role: 'user', content: 'Which berth is free?' })
 * const { reached } = context.check()
 * ```
 */
export class NodeContextManager<M extends ContentMessage> extends ContextManager<M> {
  constructor(options: ContextManagerOptions<M>) {
    super({ scope: asyncCallScope(), ...options })
  }
}
