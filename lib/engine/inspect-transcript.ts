import type { RepairCheck } from '../core/repair/check'
import type { RepairRules } from '../core/repair/content-flaws'
import { checkTranscript, type Decode } from './check-transcript'
import { stateOf } from './file-state'
import type { FileState, Refusal } from './receipt'
import { asRefused, Refused } from './refusal'
import type { Writer } from './write-ports'

/** What reading a transcript for its repair takes. */
export type InspectPorts = Pick<Writer, 'files' | 'sha256'> & { readonly decode: Decode }

export type Inspection =
  | { readonly kind: 'inspected'; readonly check: RepairCheck; readonly state: FileState }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Checks a transcript, and tells which file it was that was checked. Nothing is written. */
export async function inspectTranscript(
  ports: InspectPorts,
  file: string,
  rules: RepairRules = 'late',
): Promise<Inspection> {
  try {
    const path = await ports.files.realPath(file)
    const seen = await ports.files.look(path)
    if (seen === null) throw new Refused('missing', `${file} is not there.`)
    if (seen.kind !== 'file')
      throw new Refused('not-a-file', `${file} is ${seen.what}, not a regular file; it is left alone.`)
    const hasher = ports.sha256()
    const hashed = async function* () {
      for await (const piece of ports.files.read(path)) {
        hasher.update(piece)
        yield piece
      }
    }
    const check = await checkTranscript(hashed(), ports.decode, rules)
    return { kind: 'inspected', check, state: stateOf(seen, hasher.digest()) }
  } catch (error) {
    const reason = asRefused(error, file)
    if (reason instanceof Refused) return { kind: 'refused', refusal: reason.refusal }
    throw reason
  }
}
