import type { HelpTerm } from './help'

/** What “findings apply” does, in the order in which it is met. */
export const HELP_REMEDIES: readonly HelpTerm[] = [
  {
    id: 'remedy-setting',
    term: 'A setting',
    meaning:
      'One value, worked out from what was measured, in openclaw.json, pi’s or Claude Code’s settings.json, or Codex’s config.toml: in the strongest of these files that has the key. The changed lines are shown, how the value came about, and where the newest 50 sessions of the store would compact then. Comments and every byte outside the value stay.',
  },
  {
    id: 'remedy-replay',
    term: 'Replayed first',
    meaning:
      'The newest 20 of these sessions (10 on the page, in another thread) are replayed with the settings as they are and as they would be: compactions, tokens, money and what was needed later, assuming the agent had done the same. What was foreseen is kept with the receipt. “--no-replay” leaves that out.',
  },
  {
    id: 'remedy-pick',
    term: 'A pick of a tuning',
    meaning:
      'Where a tuning has ended over the sessions of a finding whose cause is the policy, its picks are named; “--pick safe” (or “balanced”, “cheap”) sets their values as far as the file has keys for them, and says which it has not. “findings apply tuned.EXPERIMENT.PICK” does the same without a finding. Nothing is offered of a tuning that found no significant gain or was tested on too few sessions. A pick whose keys alone cost more by replay, or of which no session could be replayed, is not written (exit code 1) unless “--no-replay” is given; the page says what it would have cost and asks once more.',
  },
  {
    id: 'remedy-several',
    term: 'Several ways',
    meaning:
      'Where several settings would cure a finding the others are named, and “--key SETTING” takes one of them. Transcripts that are about to be deleted stay by Claude Code’s “cleanupPeriodDays”, raised to a year, or by “archive.enabled” in our own file.',
  },
  {
    id: 'remedy-embedded',
    term: 'Agents that embed the library',
    meaning:
      'They have no settings of a runtime (“runtime: library” in “stores”): the value is set in our own file, which the library goes by. A file in the working folder, which is trusted as it is, is left alone.',
  },
  {
    id: 'remedy-action',
    term: 'One of our actions',
    meaning:
      'Where a repair, a compaction or the maintenance of a store is what helps, it is done as “repair --apply”, “compact --now” and “maintain --enforce” do it, with lock, backup and receipt.',
  },
  {
    id: 'remedy-pin',
    term: 'Pin a rule',
    meaning:
      'A rule of yours that a compaction lost is shown as the one line that would be written below “Pinned rules” of the file that the runtime sends with every call, with where it was said and a code; only “--rule CODE” writes, that line alone, and only while the file is as it was shown. The file is AGENTS.md of the workspace of an OpenClaw agent (in the store, below “workspaces”, or where the store is allowed to lead), CLAUDE.md of Claude Code, AGENTS.md of Codex or its override, or that of pi.',
  },
  {
    id: 'remedy-pin-refused',
    term: 'Which rules',
    meaning:
      'Only what the user said in a session that a person leads: never a tool, the model, a group or another session. One that is longer than 240 characters, or holds something that cannot be seen, a file to include or a credential, is not offered.',
  },
  {
    id: 'remedy-none',
    term: 'Not offered',
    meaning:
      'Where the effect of a key in the runtime’s release is not known (examined: OpenClaw 2026.2 to 2026.9, Claude Code 2.1.38 to 2.1.330, Codex 0.169), where an administrator, a variable or an included file decides the value, or where no measure tells it. Settings of projects and options of a command line are not read and can say otherwise. Then a command of ours that helps is named, or that the finding cannot be cured from here, and the exit code is 1.',
  },
]

/** How “findings verify” answers. Figures of simulated stores: `npm run bench -- findings`. */
export const HELP_VERIFY: readonly HelpTerm[] = [
  {
    id: 'verify-calls',
    term: 'Comparable calls',
    meaning:
      'Those of the store, agent and model of the finding, from two weeks before the setting until now, or until it was taken back. Calls of one sort of session are compared (conversations, sub-agents, jobs), prompts by the logarithm of their size and at like places since a compaction; a session that goes on over the change is compared with itself.',
  },
  {
    id: 'verify-error',
    term: 'The interval',
    meaning:
      'The error is by whole sessions, or by the stretches between compactions where one session goes on, with the degrees of freedom that they leave (CR2, Satterthwaite), and no smaller than a bootstrap of them says. The answer is the same over runs.',
  },
  {
    id: 'verify-answer',
    term: 'The answer',
    meaning:
      'It helped; no difference can be shown; it is worse; or how many calls are missing: at least 30 a side, and so many that an effect of 15 % would be found four times of five. What was worse three days ago and still is it proposes to take back, and exits with 1.',
  },
  {
    id: 'verify-power',
    term: 'How often it is right',
    meaning:
      'On eleven kinds of simulated stores it raised a false alarm in 3.0 to 4.6 %. With 60 calls a side it found an effect of 15 % in 83 to 98 % of six kinds (stores of short sessions, sessions that go on over the change, one session for all, outliers); in 77 % where polls beside conversations became more frequent, 64 % where prompts grow in sessions that ended before the change, 30 % and 9 % of long sessions, and 6 % of rates. There so few calls do not hold more: who has to learn how sessions differ finds at most 85, 74, 33, 10 and 7 %. With as many calls as it asks for it found it in 81 % or more, in long sessions that differ much in 71 %.',
  },
]
