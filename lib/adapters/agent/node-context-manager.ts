import { ContextManager } from '../../agent/context-manager'
import type { ContextManagerOptions } from '../../agent/manager-options'
import type { ContentMessage } from '../../core/history/thinking'
import { asyncCallScope } from './async-call-scope'

/** A `ContextManager` that knows which calls come from its own callbacks, so that those of others only wait. */
export class NodeContextManager<M extends ContentMessage> extends ContextManager<M> {
  constructor(options: ContextManagerOptions<M>) {
    super({ scope: asyncCallScope(), ...options })
  }
}
