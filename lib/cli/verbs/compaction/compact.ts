import { dryRunPorts, runPorts } from '../../../compose/compaction'
import { REGIONS, splitWindow } from '../../../core/budget/regions'
import { PLAN_RULES, type PlanChunk, type PlanResult } from '../../../core/compaction/plan'
import { sentToModel } from '../../../core/compaction/sent-to-model'
import type { Policy } from '../../../core/policy/policy'
import { maskSecrets } from '../../../core/redaction/secrets'
import type { AskedModel } from '../../../core/summary/asked-model'
import { mirrorWords, ownerNow } from '../../../core/transcript/mirror'
import type { CompactionResult } from '../../../engine/compaction/compact-session'
import { type DryRun, dryRun, previewDigest } from '../../../engine/compaction/dry-run'
import { openPlanSource } from '../../../engine/compaction/plan-session'
import { runCompaction } from '../../../engine/compaction/run-compaction'
import { withSessionModel } from '../../../engine/compaction/summary-models'
import type { GatewayCompaction } from '../../../engine/openclaw/compact-by-gateway'
import { type InspectedSession, inspectSession } from '../../../engine/read/inspect-session'
import { policySubjectOf } from '../../../engine/read/session-subject'
import {
  askedSentence,
  askedWords,
  nothingSentence,
  SESSION_MODEL_LINE,
} from '../../../view/compaction/compact-plan'
import { gatewaySentence, ownSentence } from '../../../view/compaction/outcome'
import { REGION_VIEWS } from '../../../view/policy/policy-ratio'
import { formatCount, formatQuantity } from '../../../view/text/format'
import { resolveToUse } from '../../choose/chosen-policy'
import { findInStores } from '../../choose/find-in-stores'
import { findOnlySession } from '../../choose/find-session'
import type { ReadVerbOptions } from '../../choose/read-options'
import { setupOrFail } from '../../choose/setup-or-fail'
import { openSources, type Sources } from '../../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { openWriterOrFail, patiently } from '../../open-writer'
import { figureCell, figureJson } from '../../print/figure-json'
import { noteAsks } from '../../print/note-asks'
import { note, write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'
import { comparePolicyPlans } from './compare-policies'
import { retrySummaries } from './retry-summaries'

export type CompactOptions = ReadVerbOptions & {
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
  /** Let the session's own model be asked, this time. */
  readonly sessionModel?: boolean
  /** Plans of all policies in place of one. */
  readonly compare?: boolean
  /** Fill the summaries that are pending instead. */
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
    throw new CliError(EXIT.usage, '--call is for dry runs; --now compacts the session as it is.')
  if (options.compare && (options.now || options.showSummary || options.focus !== undefined))
    throw new CliError(
      EXIT.usage,
      '--compare is a dry run of many policies: leave --now, --focus and --show-summary out.',
    )
  const sources = await openSources(io, options.store)
  const { store, transcript } = await (options.session === undefined
    ? findOnlySession(io, sources)
    : findInStores(io, sources, options.session))
  const session = await inspectSession(sources.reader, store, transcript, { sizes: true })
  const { policy: inForce } = await resolveToUse(io, {
    chosen: options.policy,
    stores: sources.stores,
    store,
    subject: policySubjectOf(session),
  })
  const policy = options.sessionModel ? withSessionModel(inForce) : inForce
  if (options.policy === undefined) await noteAsks(io, store)
  const owner = ownerNow(transcript.index, session.facts)
  if (owner !== null && !options.now) await note(io, `${mirrorWords(owner)} --now would be refused.`)
  if (options.compare) return comparePolicyPlans(io, options, sources, session, policy)
  return options.now
    ? runNow(io, options, sources, session, policy)
    : showPlan(io, options, sources, session, policy)
}

async function showPlan(
  io: Io,
  options: CompactOptions,
  sources: Sources,
  session: InspectedSession,
  policy: Policy,
): Promise<ExitCode> {
  const source = await openPlanSource(sources.reader, session, options.call)
  if (source === null)
    throw new CliError(EXIT.usage, `${session.transcript.sessionId} has no call ${options.call}.`)
  const ports = dryRunPorts(setupOrFail(io), io.env, sources.reader)
  const { digest = false } = options
  const dry = await dryRun(ports, source, { policy, focus: focusOf(options), digest })
  const { plan } = dry
  const asked = digest ? [] : dry.asked
  for (const text of dry.notes) await note(io, text)
  const text =
    options.showSummary && plan.kind === 'plan' ? maskSecrets(await previewDigest(ports, dry, plan)) : null
  if (options.json)
    await writeJson(io, { ...planJson(dry, options, asked), ...(text === null ? {} : { text }) })
  else {
    await write(io.stdout, planText(plan, asked, policy))
    if (dry.couldAsk !== null && !digest)
      await write(io.stdout, `\n${toTerminal(ownModelText(dry.couldAsk))}\n`)
    if (text !== null) await write(io.stdout, `\n${toTerminal(text)}\n`)
    if (plan.kind === 'plan') await write(io.stdout, '\nNothing was written. --now carries it out.\n')
  }
  return EXIT.done
}

/** An empty focus is none. */
function focusOf({ focus = '' }: CompactOptions): string | null {
  return focus.trim() === '' ? null : focus.trim()
}

/** Why the model that the session runs on is not asked, and how the operator lets it be. */
function ownModelText(own: AskedModel): string {
  return `The session’s own model, ${askedWords(own)}, is not asked. It may be with --session-model, or always with "${SESSION_MODEL_LINE}" in your settings.`
}

async function runNow(
  io: Io,
  options: CompactOptions,
  { reader }: Sources,
  { store, transcript, facts, totals }: InspectedSession,
  policy: Policy,
): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const diagnose = io.env.PLIMSOLL_DEBUG ? (_: string, line: string) => void note(io, line) : undefined
  const ports = runPorts(setup, io.env, reader, () => openWriterOrFail(io, setup), diagnose)
  const outcome = await runCompaction(ports, {
    store,
    transcript,
    owner: ownerNow(transcript.index, facts),
    runsOn: totals,
    policy,
    focus: focusOf(options),
    digest: options.digest ?? false,
    actor: 'cli',
    wait: patiently(io),
    signal: io.untilStopped(),
    onGateway: () => {
      if (options.focus !== undefined)
        void note(io, 'The gateway takes no focus; its own configuration decides about the summary.')
    },
    onAsk: (sent, asked) => void note(io, askedSentence(asked, sent)),
    onProgress: (done, of) => void note(io, `Summary: request ${done} of ${of}`),
    onLongWait: (ahead) => void note(io, `Waiting for ${formatQuantity(ahead, 'other compaction')} …`),
  })
  if (outcome.by === null) {
    const { why, owner } = outcome
    throw new CliError(
      EXIT.refused,
      why,
      owner === null ? { reason: 'not-supported' } : { reason: 'mirror', owner },
    )
  }
  if (outcome.by === 'gateway') return tellGateway(io, options, outcome.result)
  const { result, modelFailed } = outcome
  if (result.kind === 'refused' || result.kind === 'stopped')
    throw new CliError(EXIT.refused, ownSentence(result), {
      reason: result.kind === 'stopped' ? 'stopped' : result.refusal.code,
    })
  if (options.json) await writeJson(io, resultJson(transcript.path, result, modelFailed))
  else await write(io.stdout, resultText(result, policy))
  if (result.kind === 'compacted') for (const text of result.notes) await note(io, text)
  if (!modelFailed) return EXIT.done
  const again = policy.summary.retryMs > 0 ? ' "plimsoll compact --retry-pending" asks again.' : ''
  await note(io, `No model gave a summary, so a digest has its place.${again}`)
  return EXIT.no
}

async function tellGateway(io: Io, { json }: CompactOptions, result: GatewayCompaction): Promise<ExitCode> {
  const sentence = gatewaySentence(result)
  if (result.kind === 'failed') throw new CliError(EXIT.refused, sentence, { reason: 'gateway' })
  if (result.kind === 'unverified') throw new CliError(EXIT.fault, sentence, { reason: 'unverified' })
  if (result.kind === 'stopped') throw new CliError(EXIT.refused, sentence, { reason: 'stopped' })
  if (!json) await write(io.stdout, `${sentence}\n`)
  else if (result.kind === 'nothing')
    await writeJson(io, { by: 'gateway', nothing: sentence, reason: result.reason })
  else {
    const { sessionId, recordId, firstKeptEntryId, tokensBefore, tokensAfter } = result
    await writeJson(io, {
      by: 'gateway',
      session: sessionId,
      record: recordId,
      receipt: null,
      tokensBefore: figureJson(tokensBefore),
      tokensAfter: figureJson(tokensAfter),
      firstKeptEntryId,
      verified: true,
    })
  }
  return EXIT.done
}

type Done = Exclude<CompactionResult, { kind: 'refused' | 'stopped' }>

function resultJson(file: string, result: Done, modelFailed: boolean) {
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
      // A model was asked and gave nothing; the digest has its place.
      modelFailed,
      calls: summary.calls,
      inputTokens: summary.inputTokens,
      outputTokens: summary.outputTokens,
    },
    before: change?.before?.hash ?? null,
    after: change?.after?.hash ?? null,
    backup: change?.backup ?? null,
    verified: receipt.verified,
    steps: result.steps,
    notes: result.notes,
  }
}

function resultText(result: Done, policy: Policy): string {
  if (result.kind === 'nothing') return `${nothingSentence(result)}\n`
  const { plan, receipt } = result
  return `${planText(plan, null, policy)}\n${ownSentence(result)} Record ${result.recordId}.\n"plimsoll undo ${receipt.id}" takes this back.\n`
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
function planJson(
  { source: { session, call }, plan, policy }: DryRun,
  options: CompactOptions,
  asked: readonly AskedModel[],
) {
  const { transcript } = session
  const model = asked[0]?.name ?? null
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
    regions: splitWindow(plan.window, policy.budget),
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
    summary: { ...plan.summary, model: plan.summary.source === 'model' ? model : null },
    recordTokensBefore: plan.recordTokensBefore,
    // Who would be asked, in this order, where, and what each would get; null: no model is asked.
    asks: plan.summary.source === 'model' ? { models: asked, ...sentToModel(plan) } : null,
    cost: plan.cost,
    warnings: plan.warnings,
  }
}

/** How the policy divides the window that the plan is for, the room for the answer among it. */
function regionsText(window: number, policy: Policy): string {
  const regions = splitWindow(window, policy.budget)
  const parts = REGIONS.map(
    (name) => `${REGION_VIEWS[name].label.toLowerCase()} ${formatCount(regions[name])}`,
  )
  return `regions of the window: ${parts.join(', ')}`
}

/** @param models who would be asked, in their order; null: it is done, and was said before */
function planText(plan: PlanResult, models: readonly AskedModel[] | null, policy: Policy): string {
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
      : `${formatQuantity(cost.calls, 'request')}, about ${formatCount(cost.inputTokens)} tokens in and ${formatCount(cost.outputTokens)} out${cost.usd === null ? '' : `, $${cost.usd.toFixed(4)}${cost.source === 'settings' ? ' at the prices of your settings' : ''}`}`
  const warnings = plan.warnings.map(({ message }) => `Warning: ${message}\n`).join('')
  const sent = models === null || models.length === 0 ? null : sentToModel(plan)
  const gets = sent === null ? '' : `${toTerminal(askedSentence(models ?? [], sent))}\n`
  return `${figureCell(plan.tokensBefore)} → ${figureCell(plan.tokensAfter)} tokens of ${formatCount(plan.window)}; summary about ${formatCount(summary.tokens)} tokens (${summary.source}; ${asked})\n${gets}keeps from entry ${plan.firstKeptEntryId} on\n${regionsText(plan.window, policy)}\n\n${table}${warnings === '' ? '' : `\n${warnings}`}`
}
