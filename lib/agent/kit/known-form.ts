import type { FormName } from '../../core/forms/form-name'
import { formOf } from '../../core/forms/form-of'

/** The form of a conversation that grows: each message is looked at once. */
export class KnownForm {
  private form: FormName | null = null
  private seen = new WeakSet<object>()

  /** @param named the form that the caller says the messages have */
  constructor(private readonly named: FormName | undefined) {}

  /** @throws FormError that names index and field of what does not fit */
  of(messages: readonly object[]): FormName {
    const { named, seen, form: before } = this
    const fresh = messages.filter((message) => !seen.has(message))
    if (fresh.length === 0 && before !== null) return before
    const isFirst = before === null || before === 'plain' || fresh.length === messages.length
    const form = isFirst ? formOf(messages, named) : (this.same(fresh, before) ?? formOf(messages, named))
    this.form = form
    for (const message of fresh) seen.add(message)
    return form
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
