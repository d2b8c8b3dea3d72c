import { ENDING } from '../../core/cold/layout'
import { append } from '../../core/lists/long-lists'
import { reasonOf } from '../../core/words/reason-of'
import type { ColdChunk, ColdListing, ColdProblem } from '../../engine/cold/cold-store'
import { readTextFile } from '../../engine/write/read-text'
import { systemCode } from '../../engine/write/refusal'
import type { WriteFiles } from '../../engine/write/write-ports'
import { coldPlace } from './cold-place'
import type { Journals } from './journals'
import { MAX_FILE, RESTLESS_MS, readRecords } from './read-records'

/** What is in one file. */
type Content = {
  readonly size: number
  readonly mtimeNs: string
  readonly chunks: readonly ColdChunk[]
  readonly problems: readonly ColdProblem[]
}

/** What is in the folder of one session. */
type Session = {
  readonly mtimeNs: string
  /** Nothing can have changed in the same instant of the file system's clock in which it was read. */
  readonly isSettled: boolean
  readonly files: ReadonlyMap<string, Content>
  readonly unreadable: readonly ColdProblem[]
}

/** Files that are read side by side. */
const AT_ONCE = 16

/**
 * Reads cold storage; a folder is read again when a file came, went or was replaced. Nothing outside the root is
 * read. As long as nothing changes, the answer is the very same object.
 */
export class ColdReader {
  private known = new Map<string, Session>()
  private journalsRead = ''
  private listing: ColdListing | null = null

  constructor(
    private readonly files: WriteFiles,
    private readonly root: string,
    private readonly journals: Journals,
  ) {}

  async list(): Promise<ColdListing> {
    const now = new Map<string, Session>()
    for (const name of await this.files.list(this.root)) {
      if (name.startsWith('.')) continue
      const session = await this.session(name)
      if (session !== null) now.set(name, session)
    }
    const journals = (await this.journals.paths()).join('\n')
    const same =
      journals === this.journalsRead &&
      now.size === this.known.size &&
      [...now].every(([name, s]) => this.known.get(name) === s)
    this.known = now
    this.journalsRead = journals
    if (same && this.listing !== null) return this.listing
    const records = await this.journals.records()
    const contents = [...now.values()].flatMap(({ files }) => [...files.values()])
    const chunks = contents.flatMap((content) => content.chunks)
    const found = new Set(chunks.map(({ file }) => file))
    for (const record of records) {
      // Its own file was lost in a crash.
      const file = coldPlace(this.files, this.root, record)
      if (!found.has(file)) chunks.push({ ...record, file })
    }
    chunks.sort((a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.file < b.file ? -1 : 1))
    const problems = contents.flatMap((content) => content.problems)
    for (const { unreadable } of now.values()) append(problems, unreadable)
    this.listing = { chunks, problems }
    return this.listing
  }

  private async session(name: string): Promise<Session | null> {
    const { files } = this
    const folder = files.join(this.root, name)
    const stats = await files.stat(folder)
    if (stats?.kind !== 'folder') return null
    const before = this.known.get(name)
    if (before?.isSettled && before.mtimeNs === stats.mtimeNs) return before
    const isSettled = Date.now() - Number(BigInt(stats.mtimeNs) / 1_000_000n) > RESTLESS_MS
    const contents = new Map<string, Content>()
    const unreadable: ColdProblem[] = []
    const names = (await files.list(folder)).filter((file) => file.endsWith(ENDING)).sort()
    for (let i = 0; i < names.length; i += AT_ONCE) {
      const group = names.slice(i, i + AT_ONCE).map((file) => files.join(folder, file))
      const read = await Promise.all(group.map((file) => this.content(file, name, before?.files.get(file))))
      for (const [j, content] of read.entries()) {
        const file = group[j] ?? ''
        if (typeof content === 'string') unreadable.push({ file, line: 1, kind: 'unreadable', why: content })
        else if (content !== null) contents.set(file, content)
      }
    }
    const isSame =
      before !== undefined &&
      before.unreadable.length === 0 &&
      unreadable.length === 0 &&
      before.files.size === contents.size &&
      [...contents].every(([file, content]) => before.files.get(file) === content)
    // What is in use already stays the same object; only its time is a new one.
    if (isSame && before.isSettled === isSettled && before.mtimeNs === stats.mtimeNs) return before
    return { mtimeNs: stats.mtimeNs, isSettled, files: contents, unreadable }
  }

  /** null: no regular file; a string says why it cannot be read. */
  private async content(
    file: string,
    session: string,
    known: Content | undefined,
  ): Promise<Content | string | null> {
    try {
      const stats = await this.files.stat(file)
      if (stats === null || stats.kind !== 'file') return null
      const { size, mtimeNs } = stats
      if (known?.size === size && known.mtimeNs === mtimeNs) return known
      if (size > MAX_FILE) return `the file has ${size} bytes, more than any chunk`
      const { chunks, problems } = readRecords(file, session, await readTextFile(this.files, file))
      return { size, mtimeNs, chunks: chunks.map(({ chunk }) => chunk), problems }
    } catch (error) {
      if (systemCode(error) === null) throw error
      return reasonOf(error)
    }
  }
}
