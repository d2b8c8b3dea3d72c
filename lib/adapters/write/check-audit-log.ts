import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { AuditCheck } from '../../core/audit/audit-check'
import { isTorn, readSeal, type Seal } from '../../core/audit/seal'
import type { WriteFiles } from '../../engine/write/write-ports'
import { type AuditFiles, auditFiles, LINE_PURPOSE } from './audit-files'
import { type AuditHead, readAuditHead } from './audit-head'
import type { Prover } from './proof-key'

export type AuditCheckIo = {
  readonly files: WriteFiles
  /** null: there is no key, and no seal can be checked. */
  readonly prover: Prover | null
}

const NEWLINE = 10

/** Lines that are checked before others in this process get their turn. */
const AT_ONCE = 1_000

/** How a line begins with a receipt. */
const RECEIPT = /^\{"at":\d+,"receipt":"([\w-]+)"/

/** Reads all of the log of writes and follows its chain; writes nothing and waits for no other process. */
export async function checkAuditLog(io: AuditCheckIo, folder: string): Promise<AuditCheck> {
  const names = auditFiles(io.files, folder)
  const first = await checkOnce(io, names)
  if (first.ok) return first
  // Another process may have put a file aside meanwhile.
  const paths = [...(await names.aside()), names.current]
  return paths.join() === first.files.join() ? first : checkOnce(io, names)
}

async function checkOnce({ files, prover }: AuditCheckIo, names: AuditFiles): Promise<AuditCheck> {
  // Before the lines: what comes meanwhile is more than it tells, and not less.
  const head = prover === null ? null : await readAuditHead(files, names.head, prover)
  const paths = [...(await names.aside()), names.current]
  const chain = new Chain(prover, head)
  for (const path of paths) {
    if ((await files.stat(path)) === null) continue
    const pieces: Uint8Array[] = []
    for await (const piece of files.read(path)) pieces.push(piece)
    await chain.take(path, Buffer.concat(pieces))
  }
  return chain.result(paths)
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Broken = NonNullable<AuditCheck['broken']>

/** Follows the lines of the log, oldest first. */
class Chain {
  private chained = 0
  private torn = 0
  private older = 0
  private broken: Broken | null = null
  /** The first sealed line that does not fit, while no line did. */
  private foreign: Broken | null = null
  private last: { readonly seq: number; readonly line: string } | null = null
  private readonly between: string[] = []
  /** Of everything, until the first line that fits. */
  private readonly before: Hash = createHash('sha256')
  private endsOpen: { readonly hash: string } | null = null
  private readonly receipts = new Set<string>()

  /** The line that the head names. */
  private headLine: string | null = null

  constructor(
    private readonly prover: Prover | null,
    private readonly head: AuditHead | 'changed' | null,
  ) {}

  async take(file: string, bytes: Buffer): Promise<void> {
    let number = 0
    for (let at = 0; at < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, at)
      const end = newline === -1 ? bytes.length : newline
      const line = bytes.toString('utf8', at, end)
      number += 1
      const id = RECEIPT.exec(line)?.[1]
      if (id !== undefined) this.receipts.add(id)
      const isBegun = this.last !== null
      this.line({ file, line: number, why: '' }, line)
      if (!isBegun && this.last === null) this.addBefore(bytes.subarray(at, newline === -1 ? end : end + 1))
      at = end + 1
      if (number % AT_ONCE === 0) await setImmediate()
    }
  }

  result(files: readonly string[]): AuditCheck {
    const broken = this.broken ?? (this.prover === null ? null : this.foreign)
    const problems = this.problems()
    return {
      ok: broken === null && problems.length === 0,
      files,
      chained: this.chained,
      torn: this.torn,
      older: this.older,
      broken,
      problems,
      receipts: this.receipts,
    }
  }

  private problems(): string[] {
    const { head } = this
    if (this.prover === null)
      return this.foreign === null ? [] : ['The key of this state folder is gone, so no line can be checked.']
    const seq = this.last?.seq ?? 0
    if (head === 'changed') return ['What tells how far the log had come was changed by another hand.']
    if (head === null)
      return seq > 0
        ? ['What tells how far the log had come is gone, so lines at its end may be missing.']
        : []
    if (head.seq > seq)
      return [
        `Lines are missing at its end: it had come to number ${head.seq}, and the last one there is ${seq}.`,
      ]
    if (head.seq > 0 && this.headLine !== null && sha256Of(this.headLine) !== head.hash)
      return [`Line number ${head.seq} is another one than the last one that was written.`]
    return []
  }

  private line(place: Broken, line: string): void {
    const seal = readSeal(line)
    const fits = seal !== null && this.prover?.verify(LINE_PURPOSE, seal.body, seal.mac) === true
    if (this.last === null && !fits) {
      this.older += 1
      if (seal !== null) this.foreign ??= { ...place, why: 'It was changed after it was written.' }
    } else if (fits) this.follow(place, line, seal)
    else if (seal === null && isTorn(line)) {
      this.torn += 1
      this.between.push(line)
    } else {
      const why = seal === null ? 'Another hand put it there.' : 'It was changed after it was written.'
      this.broken ??= { ...place, why }
    }
  }

  private follow(place: Broken, line: string, { seq, prev }: Seal): void {
    this.chained += 1
    const why = this.last === null ? this.whyNotFirst(seq, prev) : this.whyNotNext(this.last, seq, prev)
    if (why !== null) this.broken ??= seq === 1 ? { ...place, why } : (this.foreign ?? { ...place, why })
    else if (this.last === null) this.foreign = null
    this.last = { seq, line }
    if (this.head !== null && this.head !== 'changed' && this.head.seq === seq) this.headLine = line
    this.between.length = 0
  }

  /** The first line that is chained vouches for all that comes before it. */
  private whyNotFirst(seq: number, prev: string): string | null {
    if (seq !== 1) return `Lines before it are missing: it is number ${seq}, and the first one there.`
    // What a crash cut short had no end when the line was made.
    const known = [this.before.copy().digest('hex'), this.endsOpen?.hash]
    if (known.includes(prev)) return null
    return this.older === 0
      ? 'Lines before it are missing.'
      : `One of the ${this.older} lines before it was changed, added or taken away.`
  }

  private whyNotNext(last: { seq: number; line: string }, seq: number, prev: string): string | null {
    if (seq !== last.seq + 1)
      return `Lines before it are missing or are others: it is number ${seq}, and follows number ${last.seq}.`
    return sha256Of([last.line, ...this.between].join('\n')) === prev
      ? null
      : 'What comes before it was changed.'
  }

  private addBefore(bytes: Uint8Array): void {
    const open = bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes
    this.endsOpen = { hash: this.before.copy().update(open).digest('hex') }
    this.before.update(bytes)
  }
}
