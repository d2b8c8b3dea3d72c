import type { ContentMessage } from '../core/history/thinking'

/** A conversation in memory, for an agent that keeps its messages nowhere else. */
export class Conversation {
  private held: readonly ContentMessage[]

  constructor(messages: readonly ContentMessage[] = []) {
    this.held = [...messages]
  }

  /** Behind what is there, as turns go on. */
  add(...messages: readonly ContentMessage[]): void {
    this.held = [...this.held, ...messages]
  }

  readonly getContext = (): readonly ContentMessage[] => this.held

  readonly setContext = (messages: readonly ContentMessage[]): void => {
    this.held = messages
  }
}
