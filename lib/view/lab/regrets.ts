import { DROP_RULES, type DropRule } from '../../core/replay/drop-rules'
import type { ExperimentResult, ReplayedPolicy } from '../../core/replay/experiment-result'
import type { Regret } from '../../core/replay/replay-result'
import { formatCount } from '../text/format'
import { shownText } from '../text/shown-text'
import type { RegretItem, RegretsView } from './lab-page'

/** Evidence of one policy that is shown. */
const SHOWN = 20

/**
 * The unmet needs of a policy of an experiment: of the one that is asked for, else of the first that has some.
 * @param isRefused whether the operator said of a need that it is none; `titleOf` names a session
 */
export function regretsView(
  { policies, sessions }: ExperimentResult,
  wanted: string | null,
  isRefused: (regret: Regret) => boolean,
): RegretsView | null {
  const some = policies.filter(({ unmet }) => unmet > 0)
  const chosen = some.find(({ name }) => name === wanted) ?? some.toSorted(byRole)[0]
  if (chosen === undefined) return null
  const titles = new Map(sessions.map(({ transcriptId, title }) => [transcriptId, title]))
  return {
    policy: chosen.name,
    label: chosen.label,
    unmet: chosen.unmet,
    items: chosen.regrets
      .slice(0, SHOWN)
      .map((regret) => regretItem(regret, titles.get(regret.transcriptId) ?? '', isRefused(regret))),
    choices: some.map(({ name, label }) => ({ value: name, label })),
  }
}

/** What is in force is what the operator asks about first; chance comes last. */
function byRole(a: ReplayedPolicy, b: ReplayedPolicy): number {
  const rank = ({ role }: ReplayedPolicy) =>
    ['tuned', 'in-force', 'policy', 'recorded'].indexOf(role) + 1 || 9
  return rank(a) - rank(b)
}

function regretItem(regret: Regret, title: string, refused: boolean): RegretItem {
  const { transcriptId, need, text, kind, weight, verdict, entry, from, to, callEntry } = regret
  const transcript = `/sessions/${transcriptId}/transcript`
  return {
    key: `${transcriptId} ${need}`,
    transcript: transcriptId,
    session: { title: shownText(title), href: `/sessions/${transcriptId}` },
    text,
    shown: shownText(text),
    kind: KIND_WORDS[kind] ?? kind,
    weight: weight.toFixed(2),
    verdict,
    why: whyUnmet(regret),
    drop: { seq: entry, from, to, href: `${transcript}?entry=${entry}` },
    need: { seq: callEntry, href: `${transcript}?entry=${callEntry}` },
    refused,
  }
}

/** Why a need counts as unmet: what let it go and when, which call wrote it, and whether it could be found again. */
export function whyUnmet({ droppedBefore, rule, call, verdict }: Regret): string {
  const because = Object.hasOwn(DROP_RULES, rule) ? DROP_RULES[rule as DropRule] : rule
  const again =
    verdict === 'pointer'
      ? 'what says where to find it is still there'
      : 'nothing that says where to find it is there any more'
  return `It went before call ${formatCount(droppedBefore + 1)}: ${because}. Call ${formatCount(call + 1)} wrote it again; ${again}.`
}

const KIND_WORDS: { readonly [kind: string]: string } = {
  url: 'address',
  uuid: 'id',
  hex: 'hash',
  email: 'address',
  error: 'error',
  identifier: 'name',
  number: 'number',
  quoted: 'quoted text',
  copy: 'text copied',
  rule: 'rule',
}
