import type { SpanClass } from '../relevance/spans'
import type { RecordedCall } from './finish-replay'
import { AskedLikeness } from './needs/asked-likeness'
import { CallOutput, exclusionOf, type RecordedView } from './needs/call-output'
import type { GatheredChunks } from './needs/gathered-chunks'
import type { NeedList } from './needs/need-list'
import { NEED_WEIGHTS } from './needs/need-weights'
import { NEED_KINDS } from './replay-session'
import { copiesIn, isPathList } from './spans/copies'
import { PrintHolders } from './spans/print-holders'
import { partsOfKey, scanKeys } from './spans/scan-keys'
import { SpanHolders } from './spans/span-holders'
import { spanKey } from './spans/span-key'
import { SpanStops } from './spans/span-stops'
import { SpanWords } from './spans/span-words'
import { forPrints } from './spans/winnowing'
import { textsCoinedIn } from './texts/coined-texts'
import { namesDeclaredIn } from './texts/declared-names'
import { numberAt } from './texts/number-words'
import { WrittenAgainTally } from './texts/written-again'

const COPY = NEED_KINDS.indexOf('copy')

/** A command that looks for something in files. */
const SEARCH = /^\s*(?:rg|[ef]?grep|git grep|find)\b/m

/** A call whose answer is being read, its number, and what the window of it had. */
export type AnsweredCall = Pick<RecordedCall, 'end'> & {
  readonly call: number
  readonly view: RecordedView
  /** Chunks that a runtime sends again and again. */
  readonly repeated: ReadonlySet<number>
}

/** Reads the texts of a session's chunks, one after another: what each holds, and what of it its call needed. */
export class ChunkTexts {
  readonly holders = new SpanHolders()
  readonly likeness = new AskedLikeness()
  readonly stops: SpanStops
  readonly again = new WrittenAgainTally()
  readonly #chunks: GatheredChunks
  readonly #needs: NeedList
  readonly #cwd: string | null
  readonly #prints = new PrintHolders()
  readonly #output = new CallOutput()
  readonly #words = new SpanWords()
  readonly #commands = new Set<number>()

  constructor(cwd: string | null, chunks: GatheredChunks, needs: NeedList) {
    this.#cwd = cwd
    this.#chunks = chunks
    this.#needs = needs
    this.stops = new SpanStops(cwd)
  }

  /** The number of a file's path among the spans; -1: it is none that is followed. */
  file(path: string): number {
    const text = spanKey({ kind: 'path', text: path }, this.#cwd)
    return text === '' ? -1 : this.holders.number({ kind: 'path', text })
  }

  /**
   * The file that a call is about by its text; -1: it names none, or several. Whoever sees one of several named does not
   * know where the answer came from. A search that looks in several folders is about none of them either.
   */
  fileIn(text: string): number {
    const isSearch = SEARCH.test(text)
    let [file, last, places] = [-1, '', 0]
    scanKeys(text, this.#cwd, (kind, key) => {
      if (kind !== 'path' || key === last) return
      const isFile = /\.\w+$/.test(key)
      if (isFile || isSearch) [places, last] = [places + 1, key]
      if (file < 0 && isFile) file = this.holders.number({ kind, text: key })
    })
    return places > 1 ? -1 : file
  }

  /**
   * @param role of what a call wrote; null: it is no output of a model
   * @param isEdit the text has an old text and the new one for it
   */
  read(text: string, chunk: number, role: number | null, isEdit = false): void {
    const group = this.#chunks.group(chunk)
    this.likeness.add(chunk, text)
    this.stops.learnImports(text)
    this.#readWords(text, chunk, group)
    scanKeys(text, this.#cwd, (kind, key) => {
      if (this.stops.has(key, kind)) {
        // A file that every project has is no need, but it is named here where a call was about it.
        const file = kind === 'path' ? this.holders.find(key) : -1
        if (file >= 0) this.holders.add(file, chunk, group)
        return
      }
      const span = this.#number(kind, key)
      if (span < 0) return
      if (role !== null) this.#output.note(span, role)
      this.holders.add(span, chunk, group)
      this.#addParts(kind, key, chunk, group)
    })
    if (role === null) return
    for (const name of [...namesDeclaredIn(text, isEdit), ...textsCoinedIn(text)]) {
      const span = this.holders.find(name)
      if (span >= 0) this.#output.make(span)
    }
  }

  /** The number of a span; -1: it is not followed. From here on it is also found by its words. */
  #number(kind: SpanClass, key: string): number {
    const known = this.holders.texts.length
    const span = this.holders.number({ kind, text: key })
    if (span === known) this.#words.learn(span, kind, key)
    return span
  }

  /** What a text has word for word, in whatever marks: copied texts, numbers, and spans that are known. */
  #readWords(text: string, chunk: number, group: number): void {
    const words = this.#words
    forPrints(
      text,
      (print) => this.#prints.add(print, chunk),
      (hash, from, to) => {
        words.read(hash)
        const number = numberAt(text, from, to)
        if (number === null || this.stops.has(number, 'number')) return
        const span = this.holders.number({ kind: 'number', text: number })
        if (span >= 0) this.holders.add(span, chunk, group)
      },
    )
    words.end((span) => this.holders.add(span, chunk, group))
  }

  /** A chunk is a command of a shell. */
  noteCommand(chunk: number): void {
    this.#commands.add(chunk)
  }

  /**
   * What an argument copied from earlier chunks is needed by its call. Comes before the argument is read. A command that
   * is made once more needs no other; what it names is needed by itself.
   */
  noteCopies(text: string, isCommand: boolean, { call, end, view, repeated }: AnsweredCall): void {
    const chunks = this.#chunks
    for (const copy of copiesIn(text, this.#prints, end, (chunk) => chunks.group(chunk))) {
      // Of a list of paths each path is needed by itself.
      if (isPathList(copy.text)) continue
      if (isCommand && copy.sources.every((chunk) => this.#commands.has(chunk))) continue
      const span = this.holders.number({ kind: 'copy', text: copy.text, key: `copy ${copy.text}` })
      if (span < 0) continue
      for (const source of copy.sources) this.holders.add(span, source, chunks.group(source))
      const exclusion = exclusionOf(copy.sources, copy.text, { view, chunks, repeated })
      const weight = NEED_WEIGHTS.copy * copy.share
      this.#needs.add({ at: call, kind: COPY, span, weight, exclusion, sources: copy.sources })
    }
  }

  /** All that a call wrote was read: it becomes needs. */
  endAnswer(answered: AnsweredCall): void {
    const { holders, again } = this
    this.#output.flush({ ...answered, chunks: this.#chunks, holders, again }, this.#needs)
  }

  /** A chunk also says the parts of what it says: the folders on a path, the names that a name is made of. */
  #addParts(kind: SpanClass, key: string, chunk: number, group: number): void {
    for (const part of partsOfKey(kind, key)) {
      if (this.stops.has(part, kind)) continue
      // Folders are many and few are needed; a name may be needed later by itself.
      if (kind === 'path') for (const end of this.holders.endsOf(part)) this.holders.add(end, chunk, group)
      const span = kind === 'path' ? this.holders.find(part) : this.#number(kind, part)
      if (span >= 0) this.holders.add(span, chunk, group)
    }
  }
}
