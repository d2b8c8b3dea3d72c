/**
 * Messages whose form cannot be recognised: a block, role or field that no form has, messages of two forms in one list, or a
 * message that does not fit the form that was named. The message says what is wrong and what to do.
 *
 * @example
 * ```ts
 * import { FormError, formOf } from 'plimsoll-agent'
 *
 * try {
 *   formOf([{ role: 'user', content: [{ type: 'no_such_block' }] }])
 * } catch (error) {
 *   if (error instanceof FormError) console.log(error.index, error.field, error.expected)
 * }
 * ```
 */
export class FormError extends Error {
  readonly code = 'FORM'
  /** Place of the message in the list, from 0; null when the name of the form itself is wrong. */
  readonly index: number | null
  /** Where in that message, such as `content[1].type`; '' for the message as a whole. */
  readonly field: string
  /** What would have been right there. */
  readonly expected: string

  constructor(
    message: string,
    place: { readonly index: number | null; readonly field: string; readonly expected: string },
  ) {
    super(message)
    this.name = 'FormError'
    this.index = place.index
    this.field = place.field
    this.expected = place.expected
  }
}
