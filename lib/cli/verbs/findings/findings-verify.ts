import { openReceipts } from '../../../compose/writer'
import { type RemedyEffect, verifyRemedy } from '../../../engine/findings/verify-remedy'
import { watchedRemedies } from '../../../engine/findings/watched-remedy'
import { effectSentence } from '../../../view/findings/effect-words'
import type { ReadVerbOptions } from '../../choose/read-options'
import { setupOrFail } from '../../choose/setup-or-fail'
import { openSources } from '../../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { timeJson } from '../../print/figure-json'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

type VerifyFindingsOptions = ReadVerbOptions & {
  /** A finding; left out: every remedy that was applied. */
  readonly finding?: string
}

/** Whether applied remedies helped. Exit code 1 where one is to be taken back. */
export async function verifyFindings(
  io: Io,
  { finding, ...options }: VerifyFindingsOptions,
): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const sources = await openSources(io, options.store)
  const all = await watchedRemedies(openReceipts(setup))
  const watched = finding === undefined ? all : all.filter((one) => one.finding === finding)
  if (finding !== undefined && watched.length === 0)
    throw new CliError(
      EXIT.usage,
      `No setting was applied for the finding ${JSON.stringify(finding)}. "plimsoll findings verify" lists what was.`,
      { candidates: all.map((one) => one.finding).slice(0, 10) },
    )
  const listed = await sources.listAll()
  const effects: RemedyEffect[] = []
  for (const one of watched)
    effects.push(await verifyRemedy({ reader: sources.reader, listed }, one, Date.now()))
  if (options.json) await writeJson(io, { remedies: effects.map(effectJson) })
  else
    await write(
      io.stdout,
      effects.length === 0 ? 'No setting was applied for a finding yet.\n' : effects.map(effectText).join(''),
    )
  return effects.some(({ takeBack }) => takeBack !== null) ? EXIT.no : EXIT.done
}

function effectJson({ watched, measure, verdict, takeBack, problems }: RemedyEffect) {
  const { at, undoneAt, ...rest } = watched
  return {
    ...rest,
    at: timeJson(at),
    undoneAt: timeJson(undoneAt),
    measure: measure?.name ?? null,
    measureWords: measure?.words ?? null,
    verdict,
    sentence: effectSentence({ measure, verdict, watched }),
    takeBack,
    problems,
  }
}

function effectText(effect: RemedyEffect): string {
  const { watched, takeBack, problems } = effect
  const { at, undoneAt, finding, key, from, to, file, receipt } = watched
  const back = undoneAt === null ? '' : `, taken back ${new Date(undoneAt).toISOString()}`
  const lines = [
    `${key}: ${from ?? 'not set'} → ${to} in ${file}, ${new Date(at).toISOString()}${back} (${receipt}, for ${finding})`,
    `  ${effectSentence(effect)}`,
    ...(takeBack === null ? [] : [`  It has been worse for three days. Take it back: ${takeBack.join(' ')}`]),
    ...problems.map(({ file: unread, problem }) => `  ${unread}: ${problem}`),
  ]
  return lines.map((line) => `${toTerminal(line)}\n`).join('')
}
