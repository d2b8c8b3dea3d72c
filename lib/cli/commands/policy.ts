import { createPatch } from 'diff'
import { guardWindow, policyReserve, policyShares } from '../../core/budget/guard'
import { loadLines } from '../../core/budget/load-lines'
import { historyBudget, REGIONS, splitWindow, type Used } from '../../core/budget/regions'
import { contradictions } from '../../core/policy/check'
import { editSource } from '../../core/policy/edit-source'
import { OPENCLAW_FORMAT } from '../../core/policy/formats/openclaw'
import { PLIMSOLL_FORMAT_NAME } from '../../core/policy/formats/plimsoll'
import { joinPath } from '../../core/policy/path'
import type { Policy } from '../../core/policy/policy'
import { planEdits } from '../../core/policy/policy-edits'
import { isPreset } from '../../core/policy/presets'
import { type ResolvedPolicy, valueAt } from '../../core/policy/resolve'
import { faultOf } from '../../core/policy/schema-at'
import { parseSource } from '../../core/policy/source-tree'
import { contradictionProblems, type PolicyDocument, type SaveResult } from '../../engine/policy-store'
import { formatCount } from '../../view/format'
import { openPolicies, UnknownPolicyFile } from '../../wire/policies'
import { NO_QUESTION, problemText, resolveChosen } from '../chosen-policy'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../output'
import { setupOrFail } from '../setup-or-fail'
import { renderTable } from '../table'
import { toTerminal } from '../terminal-text'

export const POLICY_ACTIONS = ['show', 'check', 'diff', 'apply'] as const

export type PolicyOptions = {
  readonly action: string
  /** `check`: files; `diff`: a second policy; `apply`: KEY=VALUE. */
  readonly rest: readonly string[]
  readonly json?: boolean
  readonly policy?: string
  readonly window?: number
  readonly used?: Used
  readonly file?: string
  readonly dryRun?: boolean
}

/** Shows, checks, compares and changes the policy. */
export async function policy(io: Io, options: PolicyOptions): Promise<ExitCode> {
  switch (options.action) {
    case 'show':
      return show(io, options)
    case 'check':
      return check(io, options)
    case 'diff':
      return diff(io, options)
    case 'apply':
      return apply(io, options)
    default:
      throw new CliError(EXIT.usage, `policy knows ${POLICY_ACTIONS.join(', ')}, not "${options.action}".`)
  }
}

async function show(io: Io, options: PolicyOptions): Promise<ExitCode> {
  const resolved = await resolveChosen(io, { ...NO_QUESTION, chosen: options.policy })
  const report = makeReport(resolved, options.window ?? resolved.policy.window.default, options.used)
  if (options.json) await writeJson(io, report)
  else await write(io.stdout, toText(resolved, report))
  return EXIT.done
}

function makeReport({ policy, origin }: ResolvedPolicy, window: number, used: Used | undefined) {
  const guard = guardWindow(policy, { tokens: window, uncapped: window })
  return {
    window,
    guard: guard.verdict,
    regions: splitWindow(window, policy.budget),
    ...policyShares(policy, window),
    reserve: policyReserve(policy, window),
    loadLines: loadLines(policy, window).map(({ name, tokens, pct, unreachable }) => ({
      name,
      tokens,
      pct: Math.round(pct * 100) / 100,
      ...(unreachable ? { unreachable } : {}),
    })),
    ...(used === undefined ? {} : { historyBudget: historyBudget(window, policy.budget, used) }),
    contradictions: contradictions(policy),
    policy,
    origin,
  }
}

type Report = ReturnType<typeof makeReport>

function toText({ policy, origin }: ResolvedPolicy, report: Report): string {
  const share = (tokens: number) => `${Math.round((tokens / report.window) * 1000) / 10} %`
  const regions = REGIONS.map((name) => ({ name, tokens: report.regions[name] }))
  const values = leaves(policy).map((path) => ({ path, value: valueAt(policy, path) }))
  return [
    `Window ${formatCount(report.window)} · reserve ${formatCount(report.reserve)} · history share ${formatCount(report.historyShare)} · working space ${formatCount(report.workingSpace)}${report.guard === 'ok' ? '' : ` · ${report.guard}`}\n`,
    ...(report.historyBudget === undefined
      ? []
      : [`History budget ${report.historyBudget.clamped} (formula ${report.historyBudget.formula})\n`]),
    '\n',
    renderTable(regions, [
      { title: 'REGION', cell: (row) => row.name },
      { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokens) },
      { title: 'SHARE', align: 'right', cell: (row) => share(row.tokens) },
    ]),
    '\n',
    renderTable(report.loadLines, [
      { title: 'LINE', cell: (row) => row.name },
      { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokens) },
      { title: '%', align: 'right', cell: (row) => String(row.pct) },
      { title: '', cell: (row) => ('unreachable' in row ? 'above the hard line: never reached' : '') },
    ]),
    '\n',
    renderTable(values, [
      { title: 'SETTING', cell: (row) => row.path },
      { title: 'VALUE', cell: (row) => JSON.stringify(row.value), max: 60 },
      { title: 'FROM', cell: (row) => originOf(origin, row.path) },
    ]),
    ...report.contradictions.map((found) => `${found.severity}: ${toTerminal(found.message)}\n`),
  ].join('')
}

function originOf(origin: ResolvedPolicy['origin'], path: string): string {
  return origin[path]?.label ?? 'default'
}

/** Paths of all values. */
function leaves(policy: Policy): string[] {
  const walk = (node: unknown, keys: readonly string[]): string[] =>
    typeof node === 'object' && node !== null && !Array.isArray(node) && Object.keys(node).length > 0
      ? Object.entries(node).flatMap(([key, value]) => walk(value, [...keys, key]))
      : [joinPath(keys)]
  return walk(policy, [])
}

async function check(io: Io, options: PolicyOptions): Promise<ExitCode> {
  const documents = await documentsToCheck(io, options)
  const problems = documents.flatMap(({ path, file }) => [
    ...file.problems,
    ...contradictionProblems(file, path),
  ])
  const files = documents.map(({ path, exists, file }) => ({ file: path, exists, format: file.label }))
  const ok = problems.every((problem) => problem.severity !== 'error')
  if (options.json) await writeJson(io, { ok, files, problems })
  else {
    for (const problem of problems)
      await write(io.stdout, `${problem.severity}: ${toTerminal(problemText(problem))}\n`)
    for (const { file, format } of files) await write(io.stdout, `${toTerminal(file)}: ${format}\n`)
    await write(io.stdout, ok ? 'No errors.\n' : 'There are errors.\n')
  }
  return ok ? EXIT.done : EXIT.no
}

async function documentsToCheck(io: Io, options: PolicyOptions): Promise<readonly PolicyDocument[]> {
  const { choosePolicy } = await import('../../wire/policies')
  if (options.rest.length === 0) {
    const documents = await openPolicies(setupOrFail(io), []).documents()
    return documents.filter((document) => document.exists)
  }
  return Promise.all(
    options.rest.map(async (path) => {
      const { document } = await choosePolicy(path, io.cwd).catch((error: unknown) => {
        throw error instanceof UnknownPolicyFile ? new CliError(EXIT.unreadable, error.message) : error
      })
      if (document === null) throw new CliError(EXIT.usage, `${path} is a preset, not a file.`)
      return document
    }),
  )
}

async function diff(io: Io, options: PolicyOptions): Promise<ExitCode> {
  const [first, second] = options.rest
  const left = await resolveChosen(io, { ...NO_QUESTION, chosen: second === undefined ? undefined : first })
  const right = await resolveChosen(io, { ...NO_QUESTION, chosen: second ?? first ?? options.policy })
  const paths = [...new Set([...leaves(left.policy), ...leaves(right.policy)])]
  const changes = paths
    .map((path) => ({ path, from: valueAt(left.policy, path), to: valueAt(right.policy, path) }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
  if (options.json) await writeJson(io, { changes })
  else if (changes.length === 0) await write(io.stdout, 'No differences.\n')
  else {
    await write(
      io.stdout,
      renderTable(changes, [
        { title: 'SETTING', cell: (row) => row.path },
        { title: 'FROM', cell: (row) => JSON.stringify(row.from) ?? '–', max: 50 },
        { title: 'TO', cell: (row) => JSON.stringify(row.to) ?? '–', max: 50 },
      ]),
    )
  }
  return changes.length === 0 ? EXIT.done : EXIT.no
}

async function apply(io: Io, options: PolicyOptions): Promise<ExitCode> {
  const policies = openPolicies(setupOrFail(io), [])
  const documents = await policies.documents()
  const document = options.file === undefined ? documents[0] : documents.find((d) => d.path === options.file)
  if (document === undefined) {
    throw new CliError(
      EXIT.usage,
      `${options.file} is not one of: ${documents.map((d) => d.path).join(', ')}`,
    )
  }
  const text = edited(document, options)
  const patch = createPatch(document.path, document.text, text, '', '')
  if (options.dryRun) {
    if (options.json)
      await writeJson(io, { file: document.path, changed: text !== document.text, diff: patch, dryRun: true })
    else await write(io.stdout, text === document.text ? 'Nothing would change.\n' : linesToTerminal(patch))
    return EXIT.done
  }
  const { path, hash, text: baseText } = document
  const result = await policies.save({ path, baseHash: hash, baseText, text })
  if (options.json) await writeJson(io, saveJson(path, result, patch))
  else await write(io.stdout, linesToTerminal(saveText(path, result, patch)))
  return exitOf(result)
}

/** The file's text with the wanted values. */
function edited(document: PolicyDocument, options: PolicyOptions): string {
  const source = parseSource(document.text, document.path)
  const changes: { [path: string]: unknown } = {}
  for (const assignment of options.rest) {
    const [path, value] = parseAssignment(assignment)
    changes[path] = value
  }
  const plan = planEdits({ ...document.file, format: formatOf(document) }, changes)
  if (plan.unsupported.length > 0) {
    throw new CliError(
      EXIT.usage,
      `${document.path} (${document.file.label}) has no key for ${plan.unsupported.join(', ')}.`,
    )
  }
  const preset = options.policy === undefined ? [] : [presetEdit(options.policy)]
  if (preset.length + plan.edits.length === 0) {
    throw new CliError(EXIT.usage, 'Name what to change: --policy PRESET, or KEY=VALUE.')
  }
  return editSource(source, [...preset, ...plan.edits])
}

/** A file that says nothing of policy yet takes the format of its owner. */
function formatOf({ file, role }: PolicyDocument): string {
  if (file.format !== 'none' && file.format !== 'empty') return file.format
  return role === 'own' ? PLIMSOLL_FORMAT_NAME : OPENCLAW_FORMAT.name
}

function presetEdit(name: string) {
  if (!isPreset(name))
    throw new CliError(EXIT.usage, `${name} is not a preset; set single values with KEY=VALUE.`)
  return { path: ['policy', 'preset'], value: name }
}

function parseAssignment(text: string): [path: string, value: unknown] {
  const at = text.indexOf('=')
  if (at <= 0) throw new CliError(EXIT.usage, `"${text}" is not KEY=VALUE.`)
  const path = text.slice(0, at)
  const written = text.slice(at + 1)
  let value: unknown = written
  try {
    value = JSON.parse(written)
  } catch {
    // Not JSON: the words themselves are meant.
  }
  const fault = faultOf(path, value)
  if (fault !== null) throw new CliError(EXIT.usage, `${path}: ${fault}`)
  return [path, value]
}

function linesToTerminal(text: string): string {
  return text.split('\n').map(toTerminal).join('\n')
}

function saveJson(path: string, result: SaveResult, patch: string) {
  if (result.kind === 'saved') return { file: path, kind: result.kind, backup: result.backup, diff: patch }
  return { file: path, ...result }
}

function saveText(path: string, result: SaveResult, patch: string): string {
  switch (result.kind) {
    case 'saved':
      return `${patch}Saved ${path}.${result.backup === null ? '' : ` The version before is kept at ${result.backup}.`}\n`
    case 'unchanged':
      return `Nothing changed: ${path} says that already.\n`
    case 'changed':
      return `${path} was changed by another hand meanwhile; nothing was written.\n`
    case 'refused':
      return `${result.problem}\n`
    case 'invalid':
      return `${result.problems.map(problemText).join('\n')}\nNothing was written.\n`
    default:
      return result satisfies never
  }
}

function exitOf(result: SaveResult): ExitCode {
  if (result.kind === 'saved' || result.kind === 'unchanged') return EXIT.done
  return result.kind === 'invalid' ? EXIT.usage : EXIT.refused
}
