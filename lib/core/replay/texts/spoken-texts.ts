import { shortKey } from '../../words/short-key'

/** The same words so often are a runtime's own prompt. */
const REPEATED = 3
const HEARTBEAT = /\bHEARTBEAT(?:_OK|\.md)\b/
/** Of a prompt so much is compared with others. Characters. */
const MOST_PROMPT = 2_000

/** What users and runtimes said in a session, each text once: which chunk has it, and what comes again and again. */
export class SpokenTexts {
  /** Chunks that a runtime sends again and again in the same words. */
  readonly repeated = new Set<number>()
  readonly #first = new Map<string, number>()
  readonly #prompts = new Map<string, number[]>()

  /** The first chunk with this text; undefined: it was not said before. */
  find(text: string): number | undefined {
    return text === '' ? undefined : this.#first.get(shortKey(text))
  }

  add(text: string, chunk: number): void {
    const key = shortKey(text)
    if (!this.#first.has(key)) this.#first.set(key, chunk)
    const prompt = shortKey(text.slice(0, MOST_PROMPT).replace(/\d+/g, '0').replace(/\s+/g, ' ').trim())
    const same = this.#prompts.get(prompt) ?? []
    same.push(chunk)
    this.#prompts.set(prompt, same)
    if (same.length >= REPEATED || HEARTBEAT.test(text)) for (const one of same) this.repeated.add(one)
  }
}
