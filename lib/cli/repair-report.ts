import { maskSecrets } from '../core/redaction/secrets'
import type { RepairCheck } from '../core/repair/check'
import { checkTranscript } from '../engine/check-transcript'
import { lookAtTranscript } from '../engine/inspect-transcript'
import { type RepairDiffStep, repairDiff } from '../engine/repair-diff'
import { formatQuantity } from '../view/format'
import { groupFindings } from '../view/repair-groups'
import { lookPorts } from '../wire/transcript-look'
import { CliError, EXIT, type ExitCode, type Io } from './io'
import { write, writeJson } from './output'
import type { ReadOptions } from './read-options'
import { renderTable } from './table'
import { cutToWidth, toTerminal } from './terminal-text'

export type RepairOptions = ReadOptions & {
  readonly session: string
  readonly check?: boolean
  readonly apply?: boolean
  readonly doctor?: boolean
  readonly diff?: boolean
  readonly reveal?: boolean
  readonly rules: 'early' | 'late'
}

/** What is checked: a file, or the lines of what we do not write; `why` says what to do about it instead. */
export type CheckSource =
  | { readonly kind: 'file'; readonly file: string }
  | {
      readonly kind: 'read-only'
      readonly file: string
      readonly why: string
      readonly headless: string
      readonly lines: () => AsyncIterable<Uint8Array>
    }

/** Steps of a plan that are shown with their texts. */
const SHOWN_STEPS = 200

/** Looks for damage and says what there is. */
export async function showCheck(io: Io, options: RepairOptions, source: CheckSource): Promise<ExitCode> {
  const { file, check, chunks } = await checked(options, source)
  const steps = options.diff
    ? (await repairDiff(chunks(), check.plan, lookPorts.decode, SHOWN_STEPS)).map(masked(options))
    : null
  if (options.json)
    await writeJson(io, { ...checkJson(file, check), ...(steps === null ? {} : { plan: steps }) })
  else {
    await write(io.stdout, checkText(file, check))
    if (steps !== null) await write(io.stdout, diffText(steps, check))
    if (source.kind === 'read-only' && !check.ok)
      await write(io.stdout, `\n${check.kind === 'headless' ? source.headless : source.why}\n`)
    else if (!check.ok && check.kind === 'transcript')
      await write(
        io.stdout,
        `\n"plimsoll repair ${toTerminal(options.session)} --apply" repairs it, with a backup.\n`,
      )
  }
  return check.ok ? EXIT.done : EXIT.no
}

async function checked(options: RepairOptions, source: CheckSource) {
  const { files, pieces } = lookPorts
  if (source.kind === 'read-only') {
    const check = await checkTranscript(source.lines(), lookPorts, options.rules)
    return { file: source.file, check, chunks: source.lines }
  }
  const { file } = source
  const inspection = await lookAtTranscript(lookPorts, file, options.rules)
  if (inspection.kind === 'refused') {
    const { code, message } = inspection.refusal
    throw new CliError(code === 'missing' ? EXIT.unreadable : EXIT.refused, message, { reason: code })
  }
  const path = await files.realPath(file)
  return { file, check: inspection.check, chunks: () => pieces(path) }
}

function checkJson(file: string, check: RepairCheck) {
  const { ok, kind, findings, notes, plan, entries, importable, refusals } = check
  return {
    file,
    ok,
    findings,
    changes: plan.steps.length,
    kind,
    notes,
    entries,
    importable,
    refusals: refusals.before,
  }
}

/** The check as text for a terminal. */
export function checkText(file: string, check: RepairCheck): string {
  const { findings, notes, entries, plan, refusals } = check
  const head =
    findings.length === 0
      ? `${toTerminal(file)}: ${formatQuantity(entries.before, 'entry', 'entries')}, nothing to repair.\n`
      : `${toTerminal(file)}: ${formatQuantity(entries.before, 'entry', 'entries')}, ${formatQuantity(findings.length, 'finding')}, ${formatQuantity(plan.steps.length, 'change')}.\n`
  const table =
    findings.length === 0
      ? ''
      : `\n${renderTable(groupFindings(findings), [
          { title: 'RISK', cell: ({ risk }) => risk },
          { title: 'FINDING', cell: ({ title }) => title },
          { title: 'COUNT', cell: ({ findings: all }) => String(all.length), align: 'right' },
          { title: 'LINES', cell: ({ lines }) => lines, max: 40 },
          { title: 'REPAIR', cell: ({ fix }) => fix ?? 'none', max: 80 },
        ])}`
  const told = notes.map(
    ({ text, line, count }) => `Note, line ${line}${count > 1 ? ` and ${count - 1} more` : ''}: ${text}\n`,
  )
  const refused = refusedLines(refusals.before.filter(({ healed }) => !healed))
  return `${head}${table}${[...told, ...refused].map(toTerminalLine).join('')}`
}

/** One line for each reason, with all providers that would give it. */
function refusedLines(refusals: RepairCheck['refusals']['before']): readonly string[] {
  return [...new Set(refusals.map(({ because }) => because))].map((reason) => {
    const same = refusals.filter(({ because }) => because === reason)
    const by = same.map(({ family }) => family).join(', ')
    return `Would be refused by ${by} because ${reason} (line ${same[0]?.line}).\n`
  })
}

function toTerminalLine(text: string): string {
  return `${toTerminal(text.trimEnd())}\n`
}

function diffText(steps: readonly RepairDiffStep[], { plan }: RepairCheck): string {
  const shown = steps.map(({ kind, line, reason, before, after }) => {
    const texts = [
      ...(before === null ? [] : [`- ${cut(before)}`]),
      ...(after === null ? [] : [`+ ${cut(after)}`]),
    ]
    return [`@ line ${line}: ${kind}: ${toTerminal(reason)}`, ...texts].join('\n')
  })
  const left = plan.steps.length - steps.length
  return `\n${shown.join('\n')}\n${left > 0 ? `… and ${formatQuantity(left, 'more change')}\n` : ''}`
}

function cut(text: string): string {
  return cutToWidth(toTerminal(text), 300)
}

function masked({ reveal }: RepairOptions): (step: RepairDiffStep) => RepairDiffStep {
  const cover = (text: string | null) => (text === null || reveal ? text : maskSecrets(text))
  return (step) => ({ ...step, before: cover(step.before), after: cover(step.after) })
}
