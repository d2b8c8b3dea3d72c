import type { FormName } from '../../core/forms/form-name'
import { formOf } from '../../core/forms/form-of'

/** The form of a conversation that grows: each message is looked at once, as long as the list begins as before. */
export class KnownForm {
  private form: FormName | null = null
  private seen: readonly object[] = []

  /** @param named the form that the caller says the messages have */
  constructor(private readonly named: FormName | undefined) {}

  /** @throws FormError that names index and field of what does not fit */
  of(messages: readonly object[]): FormName {
    const { named, form: before } = this
    const start = this.seenUntil(messages)
    if (start === messages.length && before !== null) return before
    const same = before === null || start === 0 ? null : this.same(messages.slice(start), before)
    const form = same ?? formOf(messages, named)
    this.form = form
    this.seen = [...messages]
    return form
  }

  /** The place of the first message that is another one than in the list before. */
  private seenUntil(messages: readonly object[]): number {
    const { seen } = this
    const at = messages.findIndex((message, i) => message !== seen[i])
    return at < 0 ? messages.length : at
  }

  /** null: not all of them fit, so that all messages have to be looked at together. */
  private same(fresh: readonly object[], form: FormName): FormName | null {
    try {
      return formOf(fresh, form)
    } catch {
      return null
    }
  }
}
