import { archiveIo } from '../../../compose/archive'
import { verifyArchive } from '../../../engine/archive/verify-archive'
import { formatBytes, formatQuantity } from '../../../view/text/format'
import type { ArchiveWork } from '../../choose/choose-archived'
import { EXIT, type ExitCode } from '../../io'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

/** Unpacks everything in the archive and compares it with its hashes; exit code 1 when something is damaged. */
export async function verify({ io, folder, options }: ArchiveWork): Promise<ExitCode> {
  const check = await verifyArchive({ ...archiveIo, folder })
  const { copies, blocks, bytes, damaged, unused } = check
  if (options.json) await writeJson(io, { ok: damaged.length === 0, ...check })
  else {
    const what = `${formatQuantity(copies, 'copy', 'copies')}, ${formatQuantity(blocks, 'block')} (${formatBytes(bytes)} unpacked)`
    const lines = damaged.map(
      ({ name, path, problem }) => `  ${name} ${toTerminal(path ?? '')}: ${toTerminal(problem)}\n`,
    )
    const verdict =
      damaged.length === 0
        ? `The archive is whole: ${what}.\n`
        : `${formatQuantity(damaged.length, 'copy', 'copies')} of ${what} cannot be given back as they were:\n${lines.join('')}What is still in its store is copied again after "plimsoll archive prune ID --apply".\n`
    const left =
      unused === 0
        ? ''
        : `${formatQuantity(unused, 'block')} that no copy names; "plimsoll archive prune" takes them away.\n`
    await write(io.stdout, verdict + left)
  }
  return damaged.length === 0 ? EXIT.done : EXIT.no
}
