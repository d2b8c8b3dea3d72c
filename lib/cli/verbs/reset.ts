import { applyReset, planResets } from '../../compose/reset'
import { leftAloneText } from '../../engine/maintenance/recognise-files'
import type { ResetPlace } from '../../engine/maintenance/reset-context'
import { formatCount, formatQuantity } from '../../view/text/format'
import { policiesFor } from '../choose/chosen-policy'
import { setupOrFail } from '../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../open-writer'
import { note, write, writeJson } from '../print/output'

export type ResetOptions = { readonly force?: boolean; readonly json?: boolean; readonly policy?: string }

/** So many files are copied and flushed within seconds. */
const MANY = 500

/**
 * Takes away all that managing contexts has left: what is in cold storage, and the logs. Without --force it refuses
 * and says what that would be; with it, each place has a receipt that takes it back.
 */
export async function reset(io: Io, options: ResetOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const planned = await planResets(setup, await policiesFor(io, options))
  const all = planned.map(({ place }) => place)
  const places = all.filter(({ files }) => files.length > 0)
  const left = all.filter(({ others }) => others.count > 0)
  if (!options.force) {
    const what = places.length === 0 ? 'There is nothing to reset.' : `It would take away ${listOf(places)}.`
    const said = [what, ...left.map(othersText), 'Nothing was changed; to do it: plimsoll reset --force']
    throw new CliError(EXIT.refused, said.join(' '), { places: all.map(placeJson) })
  }
  const done: { place: ResetPlace; receipt: string | null }[] = []
  if (places.length > 0) {
    const count = places.reduce((sum, { files }) => sum + files.length, 0)
    if (count > MANY)
      await note(io, `A copy is made of each of ${formatCount(count)} files; that takes its time.`)
    const writer = await openWriterOrFail(io, setup)
    for (const one of planned) {
      const { place } = one
      if (place.files.length === 0) continue
      const result = await applyReset(setup, writer, one, patiently(io))
      done.push({ place, receipt: (await receiptOrFail(io, result))?.id ?? null })
    }
  }
  if (options.json) {
    const receipts = new Map(done.map(({ place, receipt }) => [place, receipt]))
    const places = all.map((place) => ({ ...placeJson(place), receipt: receipts.get(place) ?? null }))
    await writeJson(io, { places })
    return EXIT.done
  }
  for (const place of left) await note(io, othersText(place))
  if (done.length === 0) await write(io.stdout, 'Nothing changed: there is nothing to reset.\n')
  else
    for (const { place, receipt } of done)
      await write(
        io.stdout,
        `Took away ${textOf(place)}.${receipt === null ? '' : ` "plimsoll undo ${receipt}" brings it back.`}\n`,
      )
  return EXIT.done
}

function placeJson({ what, root, files, others }: ResetPlace) {
  return { what, root, files: files.length, leftAlone: others }
}

/** What lies in a place and stays, since it is something else. */
function othersText({ what, root, others }: ResetPlace): string {
  const own = what === 'logs' ? 'a context log' : 'cold storage'
  return leftAloneText(root, others, { one: `is not ${own}`, many: `are not ${own}` })
}

function listOf(places: readonly ResetPlace[]): string {
  return places.map(textOf).join(' and ')
}

function textOf({ what, root, files }: ResetPlace): string {
  return `${formatQuantity(files.length, 'file')} of ${what === 'logs' ? 'the context logs' : 'cold storage'} in ${root}`
}
