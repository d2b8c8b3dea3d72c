import type { Policy } from '../core/policy/policy'
import type { Tokens } from '../core/units/units'
import { WindowRefused, type WindowWord, windowWord } from './live-gauge'

/** What a policy has against the window of an agent: a refusal holds for every request, a warning is given once. */
export class WindowWatch {
  private readonly word: WindowWord
  private isWarned = false

  constructor(policy: Policy, window: Tokens) {
    this.word = windowWord(policy, window)
  }

  /** @throws WindowRefused in a window that the policy refuses */
  demand(): void {
    if (this.word?.refused) throw new WindowRefused(this.word.message)
  }

  /** A window that is refused is why no request will follow. */
  noteIn<T extends { readonly failure: string | null; readonly warnings: readonly string[] }>(done: T): T {
    const { word } = this
    if (word === null) return done
    if (word.refused) return { ...done, failure: word.message }
    if (this.isWarned) return done
    this.isWarned = true
    return { ...done, warnings: [...done.warnings, word.message] }
  }
}
