import { counted, groupedDigits, percentInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice, showWholeFiles } from '../remedies/offered'
import { shownName } from '../shown-name'
import { NO_COST } from '../tally'

/** A file that loses this share of its text has lost what it was for. */
const MUCH_LOST = 0.5

const CUT: Detector<object> = {
  kind: 'bootstrap-cut',
  title: 'Workspace files are cut',
  about:
    'The runtime puts only a part of a file such as AGENTS.md into the prompt, because it is longer than its limit. Rules in the part that is left out are unknown to the agent.',
  signs:
    'The report of the runtime says that a file was truncated, or injected with fewer characters than it has.',
  start: () => ({}),
  find: (_, { index, storeId, agent, runtime }) => {
    const report = index?.report
    const cut = (report?.files ?? []).flatMap(({ name, missing, rawChars, injectedChars, truncated }) => {
      if (missing || injectedChars === null || injectedChars >= rawChars || truncated === false) return []
      return [{ name, rawChars, injectedChars }]
    })
    const [worst] = cut.toSorted((a, b) => a.injectedChars / a.rawChars - b.injectedChars / b.rawChars)
    if (worst === undefined) return []
    const lost = 1 - worst.injectedChars / worst.rawChars
    const at = report?.generatedAt ?? null
    return [
      {
        subject: '',
        cause: `${storeId} ${agent ?? ''} ${worst.name}`,
        severity: lost >= MUCH_LOST ? 'high' : 'medium',
        confidence: 'certain',
        evidence: { times: cut.length, calls: [], lines: [], before: null, after: null },
        cost: NO_COST,
        firstSeen: at,
        lastSeen: at,
        sentence: `${counted(cut.length, 'workspace file')} ${cut.length === 1 ? 'is' : 'are'} cut: of ${shownName(worst.name)} the agent sees ${groupedDigits(worst.injectedChars)} of ${groupedDigits(worst.rawChars)} characters; ${percentInWords(lost)} are missing.`,
        remedies: [
          ...showWholeFiles(runtime, roundedUp(worst.rawChars)),
          byAdvice(
            'Shorten the file: what is needed seldom goes into a file that the agent reads when it needs it.',
          ),
        ],
      },
    ]
  },
}

export const bootstrapCut = detector(CUT)

function roundedUp(chars: number): number {
  return Math.ceil(chars / 1000) * 1000
}
