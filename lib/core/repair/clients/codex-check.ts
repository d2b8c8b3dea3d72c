import { ClientCheck } from './client-check'

/** How a line begins, of the form that has an envelope. */
const BEGINNING = /\{"timestamp":"/g

/**
 * The check of a transcript of Codex: its lines alone. They name no other line, so that one that cannot be read can go;
 * calls and results are put in order by the client each time it sends.
 */
export class CodexCheck extends ClientCheck {
  constructor() {
    super('codex', BEGINNING)
  }

  protected read(): void {}
  protected lost(): void {}
  protected mend(): void {}
  protected opaque(): void {}
}
