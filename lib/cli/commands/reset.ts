import type { Policy } from '../../core/policy/policy'
import type { ResetPlace } from '../../engine/reset-context'
import { formatCount, formatQuantity } from '../../view/format'
import type { Setup } from '../../wire'
import { carryOutReset, planResetOf } from '../../wire/reset'
import { policiesInForce } from '../cold-places'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../open-writer'
import { note, write, writeJson } from '../output'
import { setupOrFail } from '../setup-or-fail'

export type ResetOptions = { readonly force?: boolean; readonly json?: boolean; readonly policy?: string }

/** So many files are copied and flushed within seconds. */
const MANY = 500

/**
 * Takes away all that managing contexts has left: what is in cold storage, and the logs (R6). Without --force it refuses
 * and says what that would be; with it, each place has a receipt that takes it back.
 */
export async function reset(io: Io, options: ResetOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const planned = await planAll(setup, await policiesInForce(io, options))
  const places = planned.map(({ place }) => place)
  if (!options.force) {
    const what = places.length === 0 ? 'There is nothing to reset.' : `It would take away ${listOf(places)}.`
    throw new CliError(EXIT.refused, `${what} Nothing was changed; to do it: plimsoll reset --force`, {
      places: places.map(placeJson),
    })
  }
  const done: { place: ResetPlace; receipt: string | null }[] = []
  if (places.length > 0) {
    const count = places.reduce((sum, { files }) => sum + files.length, 0)
    if (count > MANY)
      await note(io, `A copy is made of each of ${formatCount(count)} files; that takes its time.`)
    const writer = await openWriterOrFail(io, setup)
    for (const { place, policy } of planned) {
      const result = await carryOutReset(setup, writer, policy, place, patiently(io))
      done.push({ place, receipt: (await receiptOrFail(io, result))?.id ?? null })
    }
  }
  if (options.json)
    await writeJson(io, { places: done.map(({ place, receipt }) => ({ ...placeJson(place), receipt })) })
  else if (done.length === 0) await write(io.stdout, 'Nothing changed: there is nothing to reset.\n')
  else
    for (const { place, receipt } of done)
      await write(
        io.stdout,
        `Took away ${textOf(place)}.${receipt === null ? '' : ` "plimsoll undo ${receipt}" brings it back.`}\n`,
      )
  return EXIT.done
}

/** Folders of all policies in force, each once. */
async function planAll(setup: Setup, policies: readonly Policy[]) {
  const planned = new Map<string, { readonly place: ResetPlace; readonly policy: Policy }>()
  for (const policy of policies)
    for (const place of await planResetOf(setup, policy)) {
      const key = `${place.what} ${place.root}`
      if (!planned.has(key)) planned.set(key, { place, policy })
    }
  return [...planned.values()]
}

function placeJson({ what, root, files }: ResetPlace) {
  return { what, root, files: files.length }
}

function listOf(places: readonly ResetPlace[]): string {
  return places.map(textOf).join(' and ')
}

function textOf({ what, root, files }: ResetPlace): string {
  return `${formatQuantity(files.length, 'file')} of ${what === 'logs' ? 'the context logs' : 'cold storage'} in ${root}`
}
