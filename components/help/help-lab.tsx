import { ASSUMPTION, REGRET_IS } from '@/lib/view/lab/result-words'

const WORDS: readonly (readonly [term: string, meaning: string])[] = [
  [
    'Replay',
    `A recorded session is gone through call by call, and a policy decides what each prompt would have held, ${ASSUMPTION}. What a model would have answered to another prompt is not known: with more in it, or less, it might have gone another way. Nothing is sent anywhere, and nothing is written to a store.`,
  ],
  [
    'Need',
    'Something that a call wrote into the arguments of a tool, or into its answer, and that chunks before it held: a path, an address, a name, a number, a text that was copied. What more than 30 % of a session’s messages have weighs half, and what other workspaces of the run have as well weighs less, the more of them have it. How sure a need of a kind is follows from the recorded compactions of the sessions, where there are some. What was nowhere before was known or made up, and is no need. What the summary itself said first, what the runtime puts there again by itself, what its own prompts repeat, and what came after an encrypted compaction is left out; each share is printed.',
  ],
  [
    'Met, to be found, lost',
    'A need is met when a chunk that held it is in the prompt, or a summary or stub has it word for word. Else it can be found when something that is there says where: a path, an address, a command. Else it is lost. A word that means the same is not recognised, so that what is met is a lower bound.',
  ],
  ['Unmet needs', REGRET_IS],
  [
    'Long-range recall',
    'The weight of the needs that are met, of those whose last source is older than ten calls. Almost any policy keeps what is younger, so this is the figure that tells policies apart.',
  ],
  ['Rules', 'Sentences that must survive everything: never, always, must. They are counted apart.'],
  [
    'Saving',
    'The share of the cost that a policy saves against keeping everything: with the cache as it would have been, the rewrites that each change of a prompt brings, what summaries ask a model for, and what it takes to fetch again what was missed.',
  ],
  [
    'Calibration',
    'Before anything is priced, the recorded reads of the cache are reproduced from the calls and times of the session. Where what that costs is off by more than 5 %, or nothing was recorded, the price is a range and the session is marked.',
  ],
  [
    'Intervals',
    'The range in which a figure is 95 times in 100 when sessions are drawn anew, whole ones: what is in one session hangs together. Where one session has more than 30 % of the weight, the figures speak of that session, and the page says so.',
  ],
  [
    'Oracle, as it was, by chance',
    'What could be saved at best by one who knows what will be needed; what the runtime really did; and what chance does. They show how far from the best, and from nothing, a policy is.',
  ],
  [
    'Apply as a remedy',
    'A pick that gains on sessions that it never saw can be set where the agents of a store read it: in the settings of their runtime as far as these have keys for it, or in our own file where they embed the library. What that would have meant for the store’s own sessions is replayed first; it is written with a backup and a receipt, watched on Findings, and can be taken back.',
  ],
  [
    'Not a need',
    'You know better: mark what was counted as a need and is none. The mark is kept, and every later run leaves it out.',
  ],
]

/** How policies are replayed, and what each figure of the lab means. */
export function HelpLab() {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
      {WORDS.map(([term, meaning]) => (
        <div key={term} className="contents">
          <dt className="font-medium">{term}</dt>
          <dd className="mb-2 sm:mb-0">{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
