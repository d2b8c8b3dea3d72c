import type { CompactionPlan, NoPlan, SummarySource } from '../../core/compaction/plan'
import type { SentToModel } from '../../core/compaction/sent-to-model'
import type { AskedModel } from '../../core/summary/asked-model'
import type { Figure } from '../../core/tokens/figure'
import { figureText } from '../text/figure-text'
import { askedSentence, askedWords, nothingSentence, SESSION_MODEL_LINE, summaryWords } from './compact-plan'

/** What became of a compaction by ourselves. */
export type OwnOutcome =
  | {
      readonly kind: 'compacted'
      readonly plan: Pick<CompactionPlan, 'tokensBefore' | 'tokensAfter'>
      readonly summary: { readonly source: SummarySource; readonly by: string | null }
    }
  | NoPlan
  | { readonly kind: 'refused'; readonly refusal: { readonly message: string } }
  | { readonly kind: 'stopped' }

/** What became of a compaction by OpenClaw's gateway. */
export type GatewayOutcome =
  | {
      readonly kind: 'compacted'
      readonly recordId: string
      readonly tokensBefore: Figure
      readonly tokensAfter: Figure
    }
  | { readonly kind: 'nothing'; readonly reason: string | null }
  | { readonly kind: 'failed' | 'unverified'; readonly message: string }
  | { readonly kind: 'stopped' }

/** What became of it, as a sentence. */
export function ownSentence(outcome: OwnOutcome): string {
  switch (outcome.kind) {
    case 'nothing':
      return nothingSentence(outcome)
    case 'stopped':
      return 'Stopped; nothing was changed.'
    case 'refused':
      return outcome.refusal.message
    case 'compacted': {
      const { plan, summary } = outcome
      const sizes = sizesSentence(plan)
      return `Compacted and verified; the summary is ${summaryWords(summary)}.${sizes === '' ? '' : ` The plan was ${sizes}`}`
    }
  }
}

/** The same of the gateway's. */
export function gatewaySentence(outcome: GatewayOutcome): string {
  switch (outcome.kind) {
    case 'nothing':
      return `Nothing to compact: ${outcome.reason ?? 'the gateway named no reason'}.`
    case 'stopped':
      return 'Stopped. What the gateway had begun may still be done; the list of compactions shows whether it was.'
    case 'failed':
    case 'unverified':
      return outcome.message
    case 'compacted':
      return [
        `Compacted by OpenClaw’s gateway; the database holds the record ${outcome.recordId} and builds the context that it promises.`,
        sizesSentence(outcome),
        'It cannot be undone from here.',
      ]
        .filter((text) => text !== '')
        .join(' ')
  }
}

/** `≈ 41,200 → ≈ 9,800 tokens.` Nothing where one of both is unknown. */
function sizesSentence(sizes: { readonly tokensBefore: Figure; readonly tokensAfter: Figure }): string {
  const [before, after] = [sizes.tokensBefore, sizes.tokensAfter].map((figure) => figureText(figure, 'count'))
  if (before?.value == null || after?.value == null) return ''
  return `${before.mark} ${before.value} → ${after.mark} ${after.value} tokens.`
    .replace(/(^|→) {1,2}/g, '$1 ')
    .trim()
}

/** What became of a summary that no model had written. */
export type RetriedOutcome =
  | { readonly kind: 'filled'; readonly by: string; readonly receipt: { readonly id: string } }
  | { readonly kind: 'waiting'; readonly notes: readonly string[] }
  | { readonly kind: 'no-model'; readonly couldAsk: AskedModel | null }
  | { readonly kind: 'preview'; readonly asked: readonly AskedModel[]; readonly sent: SentToModel | null }
  | { readonly kind: 'superseded'; readonly message: string }
  | { readonly kind: 'refused'; readonly refusal: { readonly message: string } }
  | { readonly kind: 'stopped' }

/** What became of it, as a sentence. @param name of the session */
export function retriedSentence(name: string, outcome: RetriedOutcome): string {
  switch (outcome.kind) {
    case 'filled':
      return `${name}: a summary by ${outcome.by} took the place of the digest (receipt ${outcome.receipt.id}).`
    case 'waiting':
      return `${name}: still the digest. ${outcome.notes.join(' ')}`.trim()
    case 'no-model':
      return `${name}: still the digest. Your settings name no model for summaries (summary.model). ${couldAskWords(outcome.couldAsk)}`
    case 'preview': {
      const { asked, sent } = outcome
      const says = sent === null ? 'no model would be asked.' : askedSentence(asked, sent)
      return `${name}: still the digest. Dry run, nothing was sent: ${says}`
    }
    case 'superseded':
      return `${name}: ${outcome.message}`
    case 'refused':
      return `${name}: ${outcome.refusal.message}`
    case 'stopped':
      return `${name}: stopped; nothing was changed.`
  }
}

function couldAskWords(own: AskedModel | null): string {
  return own === null
    ? 'The session’s own cannot be asked: its key is not set, or its provider is not known.'
    : `The session’s own, ${askedWords(own)}, may be asked with "plimsoll compact --retry-pending --session-model", or always with "${SESSION_MODEL_LINE}" in your settings.`
}
