import type { PruneRuleName } from '../../../core/pruning/prune-rule-names'
import { openPruneSource, pruneSession } from '../../../engine/pruning/prune-session'
import { type CallChoice, inspectSession } from '../../../engine/read/inspect-session'
import { policySubjectOf } from '../../../engine/read/session-subject'
import {
  coveredRow,
  type PruneTextRow,
  type PruneView,
  prunePreviewView,
} from '../../../view/pruning/prune-preview'
import { formatCount, formatQuantity } from '../../../view/text/format'
import { resolveToUse } from '../../choose/chosen-policy'
import { findSession } from '../../choose/find-session'
import type { ReadVerbOptions } from '../../choose/read-options'
import { openSources } from '../../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { figureCell, figureJson } from '../../print/figure-json'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'

export type PruneOptions = ReadVerbOptions & {
  readonly session?: string
  readonly policy?: string
  readonly call: CallChoice
  /** Rules to look at together instead of those that the policy has switched on. */
  readonly rule?: readonly PruneRuleName[]
  /** Lists what stays as well. */
  readonly all?: boolean
  readonly reveal?: boolean
}

/**
 * What rules of pruning would take out of what a call is sent: each alone, and together. Nothing is ever written:
 * pruning changes what is sent, and never a transcript.
 */
export async function prune(io: Io, options: PruneOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session)
  const session = await inspectSession(sources.reader, store, transcript)
  const source = await openPruneSource(sources.reader, session, options.call)
  if (source === null) {
    const calls = formatQuantity(session.totals.calls, 'call')
    throw new CliError(
      EXIT.usage,
      `${transcript.sessionId} has no call ${options.call}; it has ${calls}, "last" and "next".`,
    )
  }
  const question = {
    chosen: options.policy,
    stores: sources.stores,
    store,
    subject: policySubjectOf(session),
  }
  const { policy } = await resolveToUse(io, question)
  const preview = pruneSession(source, policy, options.rule ?? null, Date.now())
  const { view, rows } = prunePreviewView(source, preview)
  const shown = options.reveal ? rows : rows.map(coveredRow)
  if (options.json)
    await writeJson(io, {
      session: transcript.sessionId,
      file: transcript.path,
      policy: options.policy ?? 'in force',
      ...viewJson(view),
      texts: shown.map(({ seq: _seq, ...row }) => row),
    })
  else await write(io.stdout, toText(transcript.sessionId, view, shown, options.all === true))
  return EXIT.done
}

function viewJson({ call, window, before, after, freed, rules, texts }: PruneView) {
  return {
    call,
    window,
    tokensBefore: figureJson(before),
    tokensAfter: figureJson(after),
    freed,
    rules: rules.map(({ rule, chosen, alone, together }) => ({ rule, chosen, alone, together })),
    counts: texts,
  }
}

function toText(session: string, view: PruneView, rows: readonly PruneTextRow[], all: boolean): string {
  const { call, calls, window, before, after, freed, texts, rules } = view
  const which = call === 'next' ? `next call (after ${formatCount(calls)})` : `call ${call} of ${calls}`
  const head = `${toTerminal(session)}: ${which}\nmessages hold ${figureCell(before)} tokens of a window of ${formatCount(window)}; together the chosen rules leave ${figureCell(after)}, ${formatCount(freed)} less\n\n`
  const table = renderTable(rules, [
    { title: 'RULE', cell: ({ rule }) => rule },
    { title: '', cell: ({ chosen }) => (chosen ? 'on' : 'off') },
    { title: 'ALONE', align: 'right', cell: ({ alone }) => `≈ ${formatCount(alone.freed)}` },
    { title: 'TEXTS', align: 'right', cell: ({ alone }) => formatCount(alone.texts) },
    {
      title: 'TOGETHER',
      align: 'right',
      cell: ({ together }) => (together === null ? '' : `≈ ${formatCount(together.freed)}`),
    },
    {
      title: 'TEXTS',
      align: 'right',
      cell: ({ together }) => (together === null ? '' : formatCount(together.texts)),
    },
    { title: '', cell: ({ alone, about }) => alone.idle ?? about },
  ])
  const listed = all ? rows : rows.filter(({ action }) => action !== 'keep')
  const list =
    listed.length === 0
      ? ''
      : `\n${renderTable(listed, [
          { title: 'LINE', align: 'right', cell: ({ line }) => (line === null ? '' : formatCount(line)) },
          { title: 'ACTION', cell: ({ action }) => action },
          { title: 'FREED', align: 'right', cell: (row) => `≈ ${formatCount(row.freed)}` },
          { title: 'OF', align: 'right', cell: ({ tokens }) => formatCount(tokens) },
          { title: 'WHAT', cell: ({ what, tool }) => `${what} of ${tool === '' ? 'a tool' : tool}`, max: 36 },
          { title: 'WHY', cell: ({ rule, reason }) => (rule === null ? reason : `${rule}: ${reason}`) },
        ])}`
  const kept = all ? '' : `\n${formatQuantity(texts.keep, 'text')} would stay (--all lists them too).\n`
  return `${head}${table}${list}${kept}\nNothing was written: pruning changes what is sent, never a transcript.\n`
}
