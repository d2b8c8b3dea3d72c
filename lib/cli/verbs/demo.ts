import { writeDemo } from '../../compose/open'
import { setupOrFail } from '../choose/setup-or-fail'
import { EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../print/output'

/** Writes the made-up demo store into the state folder, where it is read like any other; real stores stay as they are. */
export async function demo(io: Io, options: { readonly json?: boolean }): Promise<ExitCode> {
  const roots = await writeDemo(setupOrFail(io).environment)
  if (options.json) await writeJson(io, { stores: roots })
  else await write(io.stdout, `The demo is in:\n${roots.map((root) => `  ${root.path}\n`).join('')}`)
  return EXIT.done
}
