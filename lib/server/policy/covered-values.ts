import { createHmac, randomBytes } from 'node:crypto'
import { coveredName, hasStandIns, isStandIn, withStandIns, withValues } from '../../view/policy/covered-text'
import { secretRanges } from '../../view/policy/policy-secrets'

/** Values kept of one file; the oldest go first. A file has a handful. */
const MOST_VALUES = 2_000

/**
 * Values of configuration files that pages do not get. A page has a stand-in for each, by which it asks for the value and
 * sends it back unseen. A stand-in says nothing of its value to those who do not have the key of this process.
 */
export class CoveredValues {
  readonly #key = randomBytes(32)
  /** By file, then by stand-in. */
  readonly #values = new Map<string, Map<string, string>>()

  /** The text as a page gets it. */
  cover(path: string, text: string): string {
    const values = this.#of(path)
    return withStandIns(text, secretRanges(text, path), (value) => {
      if (isStandIn(value)) return null
      const name = this.#nameOf(path, value)
      values.set(name, value)
      for (const oldest of values.keys()) {
        if (values.size <= MOST_VALUES) break
        values.delete(oldest)
      }
      return name
    })
  }

  /** The same for a text that came from a page: what it holds besides is what the operator wrote, and stays. */
  coverKnown(path: string, text: string): string {
    const values = this.#of(path)
    return withStandIns(text, secretRanges(text, path), (value) => {
      const name = this.#nameOf(path, value)
      return values.has(name) ? name : null
    })
  }

  /** A message about the file, without its values. */
  coverIn(path: string, message: string): string {
    let covered = message
    for (const [name, value] of this.#of(path)) covered = covered.replaceAll(value, name)
    return covered
  }

  /** The text as the file has it. @throws Error that names the lines whose values are not known any more */
  uncover(path: string, text: string): string {
    if (!hasStandIns(text)) return text
    const { text: whole, unknown } = withValues(text, (name) => this.#of(path).get(name))
    if (unknown.length === 0) return whole
    const lines = [...new Set(unknown)].join(', ')
    throw new Error(
      `The covered values on line ${lines} are not known any more: the server was started anew since this page was loaded. Write them again, or discard the changes and reload the page.`,
    )
  }

  /** The values that stand-ins in a text represent. */
  reveal(path: string, text: string): { readonly [name: string]: string } {
    const values: { [name: string]: string } = {}
    withValues(text, (name) => {
      const value = this.#of(path).get(name)
      if (value !== undefined) values[name] = value
      return value
    })
    return values
  }

  #of(path: string): Map<string, string> {
    const known = this.#values.get(path) ?? new Map<string, string>()
    this.#values.set(path, known)
    return known
  }

  #nameOf(path: string, value: string): string {
    const digits = createHmac('sha256', this.#key).update(`${path}\0${value}`).digest('hex')
    return coveredName(digits.slice(0, 8))
  }
}
