import { isName } from '../../relevance/spans'
import { IntList } from '../int-list'
import { NEED_KINDS } from '../replay-session'
import { formsOfName } from '../texts/name-forms'

type NeedKind = (typeof NEED_KINDS)[number]

/** Distinct spans of one session that are followed. What is new after that many is passed over. */
const MOST_SPANS = 400_000
/** The latest holders are enough for every policy that lets the oldest go first. */
export const MOST_SOURCES = 12

/** Of a span that more hold, some of the oldest and the newest of them are enough for a digest's ranking. */
const MOST_HOLDERS = 64

/** Paths of one name that are compared with each other. */
const MOST_ALIKE = 24

/** Paths below folders of one name that are looked through for one of these folders. */
const MOST_BELOW = 256

/** Which chunks of a session hold each span, rule and copied text. They are known by numbers, in order of first appearance. */
export class SpanHolders {
  readonly texts: string[] = []
  /** Spans that were not followed, because there are too many. */
  passedOver = 0
  readonly #ids = new Map<string, number>()
  readonly #kinds = new IntList()
  /** Postings: the chunk, and the posting before it of the same span; by span its last one. */
  readonly #chunks = new IntList()
  readonly #before = new IntList()
  readonly #last = new IntList()
  /** By span: groups that hold it, and the one that was counted last. */
  readonly #groups = new IntList()
  readonly #lastGroup = new IntList()
  /** Paths by their last part. */
  readonly #byName = new Map<string, number[]>()
  /** Paths by the name of each folder on them. */
  readonly #byFolder = new Map<string, number[]>()

  /** The number of a span that was seen before; -1: it was not. */
  find(text: string): number {
    return this.#ids.get(text) ?? -1
  }

  kind(span: number): NeedKind {
    return NEED_KINDS[this.#kinds.at(span)] as NeedKind
  }

  /**
   * The number of a span, which it gets where it has none; -1: there are too many.
   * @param key by what it is the same as another one
   */
  number({ text, kind, key = text }: { text: string; kind: NeedKind; key?: string }): number {
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    if (this.texts.length >= MOST_SPANS) {
      this.passedOver += 1
      return -1
    }
    const span = this.texts.length
    this.#ids.set(key, span)
    this.texts.push(text)
    this.#kinds.push(NEED_KINDS.indexOf(kind))
    this.#last.push(-1)
    this.#groups.push(0)
    this.#lastGroup.push(-1)
    if (kind === 'path') this.#noteName(span, text)
    return span
  }

  #noteName(span: number, path: string): void {
    const name = nameOf(path)
    const known = this.#byName.get(name)
    if (known === undefined) this.#byName.set(name, [span])
    else if (known.length < MOST_ALIKE) known.push(span)
    for (const folder of new Set(path.split('/').slice(0, -1))) {
      const below = this.#byFolder.get(folder)
      if (below === undefined) this.#byFolder.set(folder, [span])
      else if (below.length < MOST_BELOW) below.push(span)
    }
  }

  /** Paths that are the end of this one, such as a folder named from where the work is: whoever has it has them. */
  endsOf(path: string): number[] {
    const whole = comparedPath(path)
    return (this.#byName.get(nameOf(path)) ?? []).filter((one) => {
      const end = comparedPath(this.texts[one] ?? '')
      return end.includes('/') && isEnd(end, whole)
    })
  }

  /** A chunk holds a span. Chunks come in order. */
  add(span: number, chunk: number, group: number): void {
    const last = this.#last.at(span)
    if (last >= 0 && this.#chunks.at(last) === chunk) return
    this.#last.set(span, this.#chunks.length)
    this.#chunks.push(chunk)
    this.#before.push(last)
    if (this.#lastGroup.at(span) === group) return
    this.#lastGroup.set(span, group)
    this.#groups.set(span, this.#groups.at(span) + 1)
  }

  /** Calls and their results, and messages, that hold a span. */
  groups(span: number): number {
    return this.#groups.at(span)
  }

  /** The chunks before `end` that hold a span, latest first, until `visit` answers false. */
  eachBefore(span: number, end: number, visit: (chunk: number) => boolean): void {
    for (let at = this.#last.at(span); at >= 0; at = this.#before.at(at)) {
      const chunk = this.#chunks.at(at)
      if (chunk < end && !visit(chunk)) return
    }
  }

  /** All chunks that hold a span, oldest first; of very many the first and the latest. */
  all(span: number): number[] {
    const found: number[] = []
    this.eachBefore(span, Number.POSITIVE_INFINITY, (chunk) => found.push(chunk) > 0)
    found.reverse()
    return found.length <= MOST_HOLDERS
      ? found
      : [...found.slice(0, MOST_HOLDERS / 4), ...found.slice((-3 * MOST_HOLDERS) / 4)]
  }

  /**
   * The latest chunks before `end` by which a span can be written, oldest first; at most `MOST_SOURCES`: those that hold
   * it, that hold a path which ends with it, with which it ends or which is below it, or of a name of several parts its last one, or its words
   * in other letters: `since_ms` says `sinceMs`.
   */
  writable(span: number, end: number): number[] {
    const own = this.latest(span, end)
    const alike = [...this.#alike(span), ...(own.length === 0 ? [] : this.#otherLetters(span))]
    if (alike.length === 0) return own
    const found = new Set(own)
    for (const other of alike) for (const chunk of this.latest(other, end)) found.add(chunk)
    return [...found].sort((a, b) => a - b).slice(-MOST_SOURCES)
  }

  #alike(span: number): number[] {
    const [kind, text] = [this.kind(span), this.texts[span] ?? '']
    if (kind === 'identifier') {
      const last = text.slice(Math.max(text.lastIndexOf('.'), text.lastIndexOf(':')) + 1)
      const known = last === text || !isName(last) ? -1 : this.find(last)
      return known >= 0 && this.kind(known) === 'identifier' ? [known] : []
    }
    if (kind !== 'path') return []
    const own = comparedPath(text)
    const paths = this.#byName.get(nameOf(text)) ?? []
    const others = paths.map((one) => comparedPath(this.texts[one] ?? ''))
    const longest = others.reduce((a, b) => (b.length > a.length ? b : a), own)
    // A file's name says its path where no other path has that name.
    const isOnly = others.every((other) => isEnd(other, longest))
    const alike = paths.filter((one, i) => {
      const other = others[i] ?? ''
      if (one === span) return false
      return isEnd(own, other) || (isEnd(other, own) && (other.includes('/') || isOnly))
    })
    return [...alike, ...this.#below(own)]
  }

  /** Paths below a folder: whoever has one of them can write the folder, wherever its root is. */
  #below(folder: string): readonly number[] {
    if (!folder.includes('/')) return []
    return (this.#byFolder.get(nameOf(folder)) ?? []).filter((one) => {
      const path = this.texts[one] ?? ''
      return path.startsWith(`${folder}/`) || path.includes(`/${folder}/`)
    })
  }

  /** Names of the same words. By them alone nothing is needed: they say what was there in its own letters as well. */
  #otherLetters(span: number): number[] {
    const text = this.texts[span] ?? ''
    if (this.kind(span) !== 'identifier' || /[.:]/.test(text)) return []
    const words = wordsOfName(text)
    if (words.length < 2) return []
    return formsOfName(words).flatMap((form) => {
      const other = form === text ? -1 : this.find(form)
      return other >= 0 && this.kind(other) === 'identifier' ? [other] : []
    })
  }

  /** The latest chunks before `end` that hold a span, oldest first; at most `MOST_SOURCES`. */
  latest(span: number, end: number): number[] {
    const found: number[] = []
    this.eachBefore(span, end, (chunk) => found.push(chunk) < MOST_SOURCES)
    return found.reverse()
  }
}

/** The words of a name in small letters: of `sinceMs`, `since_ms` and `since-ms` the same. */
function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .split(/[^A-Za-z\d]+/)
    .flatMap((word) => (word === '' ? [] : [word.toLowerCase()]))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(SCRIPT, '.js')
}

/** A path without the steps up at its beginning; what is written as TypeScript is imported as JavaScript. */
function comparedPath(path: string): string {
  return path.replace(/^(?:\.\.?\/)+/, '').replace(SCRIPT, '.js')
}

const SCRIPT = /\.[mc]?[jt]sx?$/

/** Whether a path is the end of another one, or the same. */
function isEnd(end: string, path: string): boolean {
  return path === end || path.endsWith(`/${end}`)
}
