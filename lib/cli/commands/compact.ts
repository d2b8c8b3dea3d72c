import { type CompactionPlan, PLAN_RULES, type PlanChunk, type PlanResult } from '../../core/compaction/plan'
import type { Policy } from '../../core/policy/policy'
import { maskSecrets } from '../../core/redaction/secrets'
import { priceOf } from '../../core/tokens/prices'
import { type CompactionResult, compactSession } from '../../engine/compact-session'
import type { CoveringText } from '../../engine/covered-summary'
import { type InspectedSession, inspectSession } from '../../engine/inspect-session'
import { openPlanSource, type PlanSource, planSession } from '../../engine/plan-session'
import { storedCovering } from '../../engine/stored-covering'
import { summariseSession } from '../../engine/summarise-session'
import { type RulesOf, readMaterial } from '../../engine/summary-material'
import { nothingSentence, summaryWords } from '../../view/compact-plan'
import { formatCount, formatQuantity } from '../../view/format'
import {
  agentMemories,
  compactionPorts,
  SUMMARY_PORTS,
  summaryChain,
  workspaceRulesOf,
} from '../../wire/compaction'
import { openGateway } from '../../wire/gateway'
import { resolveToUse } from '../chosen-policy'
import { figureCell, figureJson } from '../figure-json'
import { findInStores } from '../find-in-stores'
import { findOnlySession } from '../find-session'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently } from '../open-writer'
import { note, write, writeJson } from '../output'
import { subjectOf } from '../policy-subject'
import type { ReadOptions } from '../read-options'
import { setupOrFail } from '../setup-or-fail'
import { openSources, type Sources } from '../sources'
import { renderTable } from '../table'
import { toTerminal } from '../terminal-text'
import { compactThroughGateway } from './gateway-compaction'
import { retrySummaries } from './retry-summaries'

export type CompactOptions = ReadOptions & {
  /** Left out, the only one there is. */
  readonly session?: string
  readonly policy?: string
  readonly call: number | 'last' | 'next'
  readonly dryRun?: boolean
  readonly now?: boolean
  readonly focus?: string
  /** Print the digest that would be the summary. */
  readonly showSummary?: boolean
  /** Leave the policy's model out. */
  readonly digest?: boolean
  /** Fill the summaries that are pending instead (D25). */
  readonly retryPending?: boolean
}

/** Shows what a compaction would do, or does it. Without `--now` nothing is written anywhere. */
export async function compact(io: Io, options: CompactOptions): Promise<ExitCode> {
  if (options.retryPending) {
    if (options.session !== undefined)
      throw new CliError(EXIT.usage, '--retry-pending is for all sessions; leave SESSION out.')
    return retrySummaries(io, options)
  }
  if (options.now && options.dryRun)
    throw new CliError(EXIT.usage, 'Give either --dry-run or --now, not both.')
  if (options.now && options.call !== 'next')
    throw new CliError(EXIT.usage, '--call is for dry runs; --now compacts the session as it stands.')
  const sources = await openSources(io, options.store)
  const { store, transcript } = await (options.session === undefined
    ? findOnlySession(io, sources)
    : findInStores(io, sources, options.session))
  const session = await inspectSession(sources.reader, store, transcript, { sizes: true })
  const { policy } = await resolveToUse(io, {
    chosen: options.policy,
    stores: sources.stores,
    store,
    subject: subjectOf(session),
  })
  return options.now
    ? runNow(io, options, sources, session, policy)
    : dryRun(io, options, sources, session, policy)
}

async function dryRun(
  io: Io,
  options: CompactOptions,
  sources: Sources,
  session: InspectedSession,
  policy: Policy,
): Promise<ExitCode> {
  const source = await openPlanSource(sources.reader, session, options.call)
  if (source === null)
    throw new CliError(EXIT.usage, `${session.transcript.sessionId} has no call ${options.call}.`)
  const withModel = policy.summary.model !== '' && !options.digest
  const ports = { reader: sources.reader, memories: agentMemories(setupOrFail(io)) }
  const { digest = false } = options
  const focus = focusOf(options)
  const { covering, notes } = await storedCovering(ports, source, { focus, digest })
  for (const text of notes) await note(io, text)
  const plan = planSession(source, {
    policy,
    manual: true,
    source: withModel ? 'model' : 'digest',
    price: withModel ? summaryPrice(policy) : null,
    checkpoint: covering,
  })
  const text =
    options.showSummary && plan.kind === 'plan'
      ? await summaryText(
          sources,
          source,
          { plan, covering, rulesOf: workspaceRulesOf(setupOrFail(io)) },
          policy,
          options,
        )
      : null
  if (options.json)
    await writeJson(io, { ...planJson(source, plan, options), ...(text === null ? {} : { text }) })
  else {
    await write(io.stdout, planText(plan))
    if (text !== null) await write(io.stdout, `\n${toTerminal(text)}\n`)
    if (plan.kind === 'plan') await write(io.stdout, '\nNothing was written. --now carries it out.\n')
  }
  return EXIT.done
}

/** An empty focus is none. */
function focusOf({ focus = '' }: CompactOptions): string | null {
  return focus.trim() === '' ? null : focus.trim()
}

function summaryPrice({ summary }: Policy) {
  return priceOf(summary.model)?.price ?? null
}

/** The summary without a model: the digest, or the checkpoint that takes its place. */
async function summaryText(
  sources: Sources,
  source: PlanSource,
  {
    plan,
    covering,
    rulesOf,
  }: {
    readonly plan: CompactionPlan
    readonly covering: CoveringText | null
    readonly rulesOf: RulesOf
  },
  policy: Policy,
  options: CompactOptions,
): Promise<string> {
  const material = await readMaterial(sources.reader, source, plan, rulesOf)
  const written = await summariseSession(
    sources.reader,
    source,
    { plan, covering, material },
    { policy, chain: null, focus: focusOf(options), maxTokens: plan.summary.tokens, ...SUMMARY_PORTS },
  )
  return written.kind === 'written' ? maskSecrets(written.summary.text) : ''
}

async function runNow(
  io: Io,
  options: CompactOptions,
  sources: Sources,
  session: InspectedSession,
  policy: Policy,
): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const { store, transcript } = session
  const gateway = store.era === 'sqlite' ? openGateway(setup, io.env) : null
  if (gateway !== null) return compactThroughGateway(io, options, gateway, sources, session)
  const writer = await openWriterOrFail(io, setup)
  const chain = options.digest ? null : summaryChain(policy, io.env, session.totals)
  const diagnose = io.env.PLIMSOLL_DEBUG ? (_: string, line: string) => void note(io, line) : undefined
  const ports = { ...compactionPorts(setup, writer, sources.reader), diagnose }
  const result = await compactSession(ports, {
    store,
    transcript,
    policy,
    chain,
    focus: focusOf(options),
    digest: options.digest ?? false,
    actor: 'cli',
    manual: true,
    wait: patiently(io),
    signal: io.untilStopped(),
    onProgress: (done, of) => void note(io, `Summary: request ${done} of ${of}`),
  })
  if (result.kind === 'refused')
    throw new CliError(EXIT.refused, result.refusal.message, { reason: result.refusal.code })
  if (result.kind === 'stopped')
    throw new CliError(EXIT.refused, 'Stopped; nothing was changed.', { reason: 'stopped' })
  if (options.json) await writeJson(io, resultJson(transcript.path, result))
  else await write(io.stdout, resultText(result))
  if (result.kind === 'compacted') for (const text of result.notes) await note(io, text)
  return EXIT.done
}

type Done = Exclude<CompactionResult, { kind: 'refused' | 'stopped' }>

function resultJson(file: string, result: Done) {
  if (result.kind === 'nothing') return nothingJson(file, result)
  const { plan, summary, receipt, recordId } = result
  const [change] = receipt.files
  return {
    file,
    receipt: receipt.id,
    record: recordId,
    tokensBefore: figureJson(plan.tokensBefore),
    tokensAfter: figureJson(plan.tokensAfter),
    firstKeptEntryId: plan.firstKeptEntryId,
    summary: {
      source: summary.source,
      model: summary.by,
      calls: summary.calls,
      inputTokens: summary.inputTokens,
      outputTokens: summary.outputTokens,
    },
    before: change?.before?.hash ?? null,
    after: change?.after?.hash ?? null,
    backup: change?.backup ?? null,
    verified: receipt.verified,
    notes: result.notes,
  }
}

function resultText(result: Done): string {
  if (result.kind === 'nothing') return `${nothingSentence(result)}\n`
  const { plan, summary, receipt } = result
  return `${planText(plan)}\nCompacted and verified; the summary is ${summaryWords(summary)}. Record ${result.recordId}.\n"plimsoll undo ${receipt.id}" takes this back.\n`
}

function nothingJson(file: string, plan: Extract<PlanResult, { kind: 'nothing' }>) {
  return {
    file,
    receipt: null,
    nothing: nothingSentence(plan),
    reason: plan.why,
    tokensBefore: plan.tokensBefore.value,
  }
}

/** The shape of a dry run for programs. Tokens of the chunks add up to `tokensBefore`. */
function planJson({ session, call }: PlanSource, plan: PlanResult, options: CompactOptions) {
  const { transcript } = session
  const base = {
    session: transcript.sessionId,
    file: transcript.path,
    policy: options.policy ?? 'in force',
    call,
  }
  if (plan.kind === 'nothing')
    return {
      ...base,
      tokensBefore: plan.tokensBefore.value,
      tokensAfter: plan.tokensBefore.value,
      firstKeptEntryId: null,
      chunks: [],
      summary: null,
      cost: null,
      warnings: [],
      nothing: nothingSentence(plan),
      reason: plan.why,
    }
  return {
    ...base,
    window: plan.window,
    tokensBefore: plan.tokensBefore.value,
    tokensBeforeBasis: figureJson(plan.tokensBefore).basis,
    tokensAfter: plan.tokensAfter.value,
    tokensAfterBasis: figureJson(plan.tokensAfter).basis,
    firstKeptEntryId: plan.firstKeptEntryId,
    chunks: plan.chunks.map(({ entryIds, action, rule, tokens }) => ({
      entryIds,
      action,
      rule,
      reason: PLAN_RULES[rule],
      tokens,
    })),
    before: plan.before,
    after: plan.after,
    summary: plan.summary,
    recordTokensBefore: plan.recordTokensBefore,
    cost: plan.cost,
    warnings: plan.warnings,
  }
}

function planText(plan: PlanResult): string {
  if (plan.kind === 'nothing') return `${nothingSentence(plan)}\n`
  const rows = (['keep', 'summarise', 'prune', 'drop'] as const).flatMap((action) => {
    const chunks = plan.chunks.filter((chunk) => chunk.action === action)
    return chunks.length === 0 ? [] : [{ action, chunks }]
  })
  const sum = (chunks: readonly PlanChunk[]) => chunks.reduce((total, { tokens }) => total + tokens, 0)
  const table = renderTable(rows, [
    { title: 'ACTION', cell: ({ action }) => action },
    { title: 'CHUNKS', align: 'right', cell: ({ chunks }) => formatCount(chunks.length) },
    { title: 'TOKENS', align: 'right', cell: ({ chunks }) => formatCount(Math.round(sum(chunks))) },
    {
      title: 'WHY',
      cell: ({ chunks }) => [...new Set(chunks.map(({ rule }) => PLAN_RULES[rule]))].join('; '),
    },
  ])
  const { cost, summary } = plan
  const asked =
    cost.calls === 0
      ? 'no model is asked'
      : `${formatQuantity(cost.calls, 'request')}, about ${formatCount(cost.inputTokens)} tokens in and ${formatCount(cost.outputTokens)} out${cost.usd === null ? '' : `, $${cost.usd.toFixed(4)}`}`
  const warnings = plan.warnings.map(({ message }) => `Warning: ${message}\n`).join('')
  return `${figureCell(plan.tokensBefore)} → ${figureCell(plan.tokensAfter)} tokens of ${formatCount(plan.window)}; summary about ${formatCount(summary.tokens)} tokens (${summary.source}; ${asked})\nkeeps from entry ${plan.firstKeptEntryId} on\n\n${table}${warnings === '' ? '' : `\n${warnings}`}`
}
