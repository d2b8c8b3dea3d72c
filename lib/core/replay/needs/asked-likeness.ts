import { Bm25Index } from '../../relevance/bm25'
import { IntList } from '../int-list'
import type { ReplayLikeness } from '../replay-session'

/** Chunks that are remembered of each message of a user. */
const MOST_ALIKE = 32
/** Less likeness than this is chance. */
const LEAST = 0.05
/** In longer sessions likeness is unknown: comparing takes chunks × messages. */
const [MOST_CHUNKS, MOST_MESSAGES] = [8_000, 600]
/** Shorter chunks are not worth dropping; of longer ones the beginning tells what they are about. Characters. */
const [LEAST_TEXT, MOST_TEXT] = [160, 2_000]
const SCALE = 255

/** Compares what is in a session with each message of its user, once what came of that message is there too. */
export class AskedLikeness {
  #index: Bm25Index | null = new Bm25Index()
  readonly #chunks = new IntList()
  readonly #offset = new IntList()
  readonly #chunk = new IntList()
  readonly #value = new IntList()
  #prompt: string | null = null
  #messages = 0

  constructor() {
    this.#offset.push(0)
  }

  /** A user said something. */
  ask(prompt: string): void {
    this.#close()
    this.#prompt = prompt
    this.#messages += 1
    if (this.#messages > MOST_MESSAGES) this.#index = null
  }

  add(chunk: number, text: string): void {
    if (text.length < LEAST_TEXT) return
    if (this.#chunks.length >= MOST_CHUNKS) this.#index = null
    this.#index?.add(text.slice(0, MOST_TEXT))
    this.#chunks.push(chunk)
  }

  finish(): ReplayLikeness {
    this.#close()
    if (this.#index === null)
      return {
        offset: new Int32Array(this.#messages + 2),
        chunk: new Int32Array(0),
        value: new Uint8Array(0),
      }
    return {
      offset: this.#offset.toArray(),
      chunk: this.#chunk.toArray(),
      value: Uint8Array.from(this.#value.toArray()),
    }
  }

  /** What is like the message that was last; before the first one, nothing is like anything. */
  #close(): void {
    if (this.#index !== null && this.#prompt !== null) {
      const values = this.#index.similarities(this.#prompt)
      const best = Array.from(values, (value, i) => ({ value: Math.round(SCALE * value), i }))
        .filter(({ value }) => value >= LEAST * SCALE)
        .sort((a, b) => b.value - a.value || a.i - b.i)
        .slice(0, MOST_ALIKE)
        .sort((a, b) => a.i - b.i)
      for (const { value, i } of best) {
        this.#chunk.push(this.#chunks.at(i))
        this.#value.push(value)
      }
    }
    this.#offset.push(this.#chunk.length)
  }
}
