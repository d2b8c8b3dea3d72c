import { createHash } from 'node:crypto'
import { readLine } from '../core/transcript/reading/read-line'
import type {
  Cursor,
  FoundStore,
  FoundTranscript,
  ReadBatch,
  ReadStart,
  StoreReader,
} from '../engine/read/ports'
import { SourceProblem } from '../engine/read/source-problem'

const TAIL = 4096

type Source = { text: Buffer; ino: number; mtimeMs: number; problem?: string; failsAt?: number }

/** A store of JSONL transcripts in memory: the twin of a folder of files. */
export class MemoryStore implements StoreReader {
  readonly store: FoundStore
  /** Bytes handed out so far. */
  bytesRead = 0
  /** Makes the listing fail after its last transcript. */
  listProblem: string | null = null
  private readonly sources = new Map<string, Source>()
  private readonly entriesAtOnce: number
  private clock = 1_700_000_000_000

  constructor(name = 'memory', entriesAtOnce = 3) {
    this.store = { id: name, kind: 'pi', era: 'jsonl', root: `/${name}`, label: name, state: 'ok' }
    this.entriesAtOnce = entriesAtOnce
  }

  /** Writes a whole transcript as a new file, replacing one of that name. */
  put(name: string, text: string | Buffer): void {
    this.sources.set(name, { text: Buffer.from(text), ino: ++this.clock, mtimeMs: ++this.clock })
  }

  /** Appends bytes; they need not end at a line's end. */
  append(name: string, text: string | Buffer): void {
    const source = this.sources.get(name)
    if (source === undefined) {
      this.put(name, text)
      return
    }
    source.text = Buffer.concat([source.text, Buffer.from(text)])
    source.mtimeMs = ++this.clock
  }

  /** Renames a file. A name that ends in `.deleted` is that of the same session, archived. */
  rename(from: string, to: string): void {
    const source = this.sources.get(from)
    if (source === undefined) return
    this.sources.delete(from)
    this.sources.set(to, source)
  }

  remove(name: string): void {
    this.sources.delete(name)
  }

  /** Makes the source fail: at once, or after its first `afterLines` lines. */
  break(name: string, problem: string | undefined, afterLines?: number): void {
    const source = this.sources.get(name)
    if (source === undefined) return
    source.problem = afterLines === undefined ? problem : undefined
    source.failsAt = problem === undefined ? undefined : afterLines
  }

  idOf(name: string): string {
    return createHash('sha256').update(`${this.store.id}/${name}`).digest('hex').slice(0, 16)
  }

  async *list(): AsyncGenerator<FoundTranscript> {
    for (const [name, source] of this.sources) yield this.found(name, source)
    if (this.listProblem !== null) throw new SourceProblem('unreadable', this.store.root, this.listProblem)
  }

  async *read(
    _store: FoundStore,
    transcript: FoundTranscript,
    cursor: Cursor | null,
    onStart: (start: ReadStart) => void,
  ): AsyncGenerator<ReadBatch> {
    const name = [...this.sources.keys()].find((key) => this.idOf(key) === transcript.id) ?? ''
    const source = this.sources.get(name)
    if (source === undefined)
      throw new SourceProblem('missing', transcript.path, `${transcript.path} is gone`)
    const stamp = this.found(name, source).stamp
    const goesOn = cursor !== null && tailHash(source.text, cursor.offset) === cursor.tailHash
    onStart({ restarted: cursor !== null && !goesOn })
    let at = goesOn ? cursor : { offset: 0, line: 0, seq: 0 }
    for (;;) {
      const begin = at.offset
      const facts: ReadBatch['facts'][number][] = []
      const texts: string[] = []
      let { offset, line, seq } = at
      while (facts.length < this.entriesAtOnce) {
        if (source.failsAt !== undefined && line >= source.failsAt) break
        const end = source.text.indexOf(10, offset)
        if (end < 0) break
        line += 1
        const text = source.text.toString('utf8', offset, end)
        if (text.trim() !== '') {
          const read = readLine(text, { seq, line, offset, bytes: end - offset })
          facts.push(read.fact)
          texts.push(read.searchText)
          seq += 1
        }
        offset = end + 1
      }
      if (offset === begin && source.failsAt !== undefined && line >= source.failsAt) {
        throw new SourceProblem('unreadable', transcript.path, `${transcript.path} fails after line ${line}`)
      }
      at = { offset, line, seq }
      this.bytesRead += offset - begin
      yield {
        facts,
        texts,
        bytesRead: offset - begin,
        cursor: { ...stamp, ...at, tailHash: tailHash(source.text, offset) },
      }
      if (offset === begin) return
    }
  }

  async source(): Promise<string> {
    throw new Error('not part of this twin')
  }

  private found(name: string, source: Source): FoundTranscript {
    return {
      id: this.idOf(name),
      storeId: this.store.id,
      sessionId: name.replace(/\.deleted$/, ''),
      key: null,
      agent: null,
      path: `${this.store.root}/${name}.jsonl`,
      state: name.endsWith('.deleted') ? 'deleted' : 'live',
      stamp: { dev: 1, ino: source.ino, size: source.text.length, mtimeMs: source.mtimeMs },
      index: null,
      ...(source.problem === undefined ? {} : { problem: source.problem }),
    }
  }
}

function tailHash(text: Buffer, offset: number): string {
  if (offset > text.length) return 'beyond the end'
  return createHash('sha256')
    .update(text.subarray(Math.max(0, offset - TAIL), offset))
    .digest('hex')
}
