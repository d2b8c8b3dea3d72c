import type { RepairCheck } from '../../core/repair/line-check'
import { type CheckRules, checkTranscript, checkTwice, type LinePorts } from '../write/check-transcript'
import { stateOf } from '../write/file-state'
import type { FileState, WriteRefusal } from '../write/receipt'
import { asRefused, Refused } from '../write/refusal'
import type { Writer } from '../write/write-ports'

/** What looking through a transcript takes. */
export type PeekPorts = LinePorts & {
  readonly files: Writer['files']
  /** The bytes of a file in order; each piece is valid until the next one is asked for. */
  readonly pieces: (path: string) => AsyncIterable<Uint8Array>
}

/** What reading a transcript for its repair takes. */
export type InspectPorts = PeekPorts & Pick<Writer, 'sha256'>

export type Inspection =
  | { readonly kind: 'inspected'; readonly check: RepairCheck; readonly state: FileState }
  | Refusing

export type Peeked = { readonly kind: 'looked'; readonly check: RepairCheck } | Refusing

type Refusing = { readonly kind: 'refused'; readonly refusal: WriteRefusal }
/** Checks a transcript, and tells which file it was that was checked. Nothing is written. */
export function inspectTranscript(
  ports: InspectPorts,
  file: string,
  rules: CheckRules = 'late',
): Promise<Inspection> {
  return attempt(file, async () => {
    const { path, seen } = await regularFile(ports, file)
    const hasher = ports.sha256()
    const hashed = async function* () {
      for await (const piece of ports.pieces(path)) {
        hasher.update(piece)
        yield piece
      }
    }
    const check = await checkTranscript(hashed(), ports, rules)
    return { kind: 'inspected', check, state: stateOf(seen, hasher.digest()) }
  })
}

/** The same for a question only: hashing takes half as long as the check itself. */
export function peekTranscript(ports: PeekPorts, file: string, rules: CheckRules = 'late'): Promise<Peeked> {
  return attempt(file, async () => {
    const { path } = await regularFile(ports, file)
    const check = await checkTwice(() => ports.pieces(path), ports, rules)
    if (check.kind !== 'foreign' || check.form === undefined) return { kind: 'looked', check }
    // Its lines say whose it is, where nothing else does.
    return { kind: 'looked', check: await checkTranscript(ports.pieces(path), ports, check.form) }
  })
}

async function regularFile({ files }: Pick<InspectPorts, 'files'>, file: string) {
  const path = await files.realPath(file)
  const stats = await files.stat(path)
  if (stats === null) throw new Refused('missing', `${file} is not there.`)
  if (stats.kind === 'file') return { path, seen: stats }
  throw new Refused('not-a-file', `${file} is ${stats.what}, not a regular file; it is left alone.`)
}

async function attempt<T>(file: string, work: () => Promise<T>): Promise<T | Refusing> {
  try {
    return await work()
  } catch (error) {
    const reason = asRefused(error, file)
    if (reason instanceof Refused) return { kind: 'refused', refusal: reason.refusal }
    throw reason
  }
}
