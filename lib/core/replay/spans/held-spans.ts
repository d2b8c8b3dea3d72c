import type { NEED_KINDS } from '../replay-session'
import { holdsRule, type RuledText, ruledText } from '../rules'
import { wordsAsText } from '../texts/text-words'
import { holdsCopy } from './copies'
import { partsOfKey, scanKeys } from './scan-keys'

/** Something that a text may hold word for word. */
export type Holdable = { readonly text: string; readonly kind: (typeof NEED_KINDS)[number] }

/**
 * A text, such as a summary or a stub, in which spans are looked for (lib/docs/replay.md#held). Nothing is taken as held
 * for being alike, so that what is said to be held is a lower bound.
 */
export class HoldingText {
  readonly #text: string
  readonly #keys = new Set<string>()
  readonly #names = new Set<string>()
  #ruled: RuledText | null = null
  #words: string | null = null

  /** @param cwd the folder that the session works in */
  constructor(text: string, cwd: string | null) {
    this.#text = text
    scanKeys(text, cwd, (kind, key) => {
      this.#keys.add(key)
      if (kind === 'path') this.#names.add(lastPart(key))
      else for (const part of partsOfKey(kind, key)) this.#keys.add(part)
    })
  }

  /** Keys of the spans that are in it (`spanKey`). */
  get keys(): ReadonlySet<string> {
    return this.#keys
  }

  /** @param isOnlyName whether a path's last part is that path's alone in the session */
  holds({ text, kind }: Holdable, isOnlyName: (name: string) => boolean): boolean {
    if (kind === 'rule') {
      this.#ruled ??= ruledText(this.#text)
      return holdsRule(this.#ruled, text)
    }
    if (kind === 'copy') return holdsCopy(this.#text, text)
    if (this.#keys.has(text)) return true
    if (kind === 'path') {
      const name = lastPart(text)
      return this.#names.has(name) && isOnlyName(name)
    }
    if (kind !== 'quoted' && kind !== 'number') return false
    this.#words ??= wordsAsText(this.#text)
    const wanted = wordsAsText(text)
    return wanted.trim() !== '' && this.#words.includes(wanted)
  }
}

/** The last part of a path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
