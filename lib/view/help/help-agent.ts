/** Something that an agent gives to the library, and its shape. */
export type HelpGiven = { readonly name: string; readonly shape: string; readonly about: string }

/** Options of `new ContextManager(…)`, besides the agent itself. */
export const HELP_OPTIONS: readonly HelpGiven[] = [
  {
    name: 'policy, window, key',
    shape: 'Policy, number, string | null',
    about:
      'what decides (effectivePolicy(files, liveSubject(key, model)): overrides count for the session that is named), the model’s window in tokens, and the session key for limits by channel and user',
  },
  {
    name: 'promptCache',
    shape: 'openPromptCache(…) | null',
    about: 'the workspace files that are in every system prompt',
  },
  {
    name: 'tokensOf',
    shape: '(message) => number',
    about:
      'sizes a message; without it everything in it is estimated: texts, calls, results, thinking, pictures (countMessage)',
  },
  {
    name: 'countText',
    shape: '(text) => number',
    about: 'sizes texts, and so all that has no other counter',
  },
  {
    name: 'provider',
    shape: 'string',
    about:
      'who gets the requests (anthropic, google, mistral, openai, …): decides the order of messages and the form of call ids. Without it the messages show it',
  },
  {
    name: 'subagent',
    shape: 'boolean',
    about:
      'true: of the workspace files only those of bootstrap.subagentFiles are sent, by default AGENTS.md and TOOLS.md',
  },
  {
    name: 'fixedTokens',
    shape: 'number | () => number',
    about: 'what tool schemas and whatever else comes before the conversation take',
  },
  {
    name: 'hooks',
    shape: '(files) => files | undefined, or a promise of it',
    about: 'a list; each may change the workspace files before they are sent',
  },
  {
    name: 'timeLimit',
    shape: 'number',
    about:
      'milliseconds that what the agent gives may take in a turn, 30,000 where nothing is said; ten times as long for onFlush, curate and hooks. What takes longer counts as failed',
  },
  {
    name: 'scope',
    shape: 'CallScope',
    about:
      'knows which calls come from a callback of the agent; there is one on Node already. From hooks.run, curate and plan a call to the manager is refused (NESTED_CALL), since it would wait for itself; from onFlush it is served',
  },
  {
    name: 'passes',
    shape: '{ step, failed, isDue(input), run(input) }',
    about: 'a list; further steps of the ladder, before a compaction',
  },
  {
    name: 'recall',
    shape: '{ search, tasks, events }',
    about: 'what the agent remembers with, besides its context',
  },
]

/** Fields of `agent`: what the manager is given to work on. */
export const HELP_AGENT: readonly HelpGiven[] = [
  { name: 'session', shape: 'string', about: 'names the conversation in logs, cold storage and memory' },
  {
    name: 'getContext, setContext',
    shape: '() => messages, (messages) => void',
    about: 'the conversation, oldest first; either may answer a promise',
  },
  {
    name: 'form',
    shape: 'CONTENT_FORM',
    about:
      'how messages are read and made: pi and OpenClaw, Anthropic Messages, OpenAI Chat Completions and Responses, the AI SDK, plain texts. contentForm<M>() is the same for messages with a type of your own',
  },
  { name: 'clock', shape: '{ now: Date.now }', about: 'milliseconds since the epoch' },
  {
    name: 'getTokenCount',
    shape: '() => number | null',
    about: 'the provider’s figure for the context as it is; it beats every estimate',
  },
  { name: 'getMessages', shape: '(count) => messages', about: 'the newest messages as they were said' },
  {
    name: 'chain',
    shape: 'openSummaryChain(policy, keyOf, model)',
    about:
      'models that summarise: the one that the policy names, and behind it the agent’s own, where summary.fallbackToMain is on; without one the digest is the summary. A key goes to its provider’s own host only; a fourth argument pairs keys with other addresses, [{ variable, origin }]',
  },
  {
    name: 'memory',
    shape: 'agentMemoryFolder(folder)',
    about: 'keeps checkpoints and what is due over a restart',
  },
  {
    name: 'plan',
    shape: '() => { goal, steps: [{ title, state }] } | null, or a promise of it',
    about:
      'the plan that the agent works through; a state is open, active or done. Without it the planning tool’s last call is the plan',
  },
  {
    name: 'curate',
    shape: '({ messages, incoming, policy, window }) => promise of messages',
    about: 'takes out what matters least: answers those that stay, the same objects',
  },
  {
    name: 'cold',
    shape: 'openColdStore(policy.coldStorage.path)',
    about: 'where dropped chunks are kept, so that they can come back',
  },
  {
    name: 'dropsByRelevance',
    shape: 'boolean',
    about:
      'false: nothing is dropped for its low relevance, so that summaries take its place; what they replace goes to cold storage all the same. Default: true, where there is cold storage',
  },
  {
    name: 'embedding',
    shape: 'openEmbedding(policy, …)',
    about: 'says how alike texts are; without it words and hashed vectors do',
  },
  {
    name: 'onFlush',
    shape: '({ text, at, delivery, systemPrompt }) => promise',
    about: 'a separate turn to save memory',
  },
  {
    name: 'hooks',
    shape: '{ run(event, facts) => promise of string[] }',
    about:
      'around each compaction: event is before or after; facts are session, actor, tokensBefore, tokensAfter and firstKeptEntryId. What it answers are warnings',
  },
  {
    name: 'log',
    shape: 'openContextLog(policy)',
    about:
      'writes compactions, curations, drops and recoveries to logs.path, each as long as the policy has its switch on; without it nothing is written',
  },
  {
    name: 'sessions',
    shape: 'openSessions(folder, { model })',
    about:
      'what is said is written down, turn by turn, as OpenClaw lays sessions out: an index with tokens and window, and a transcript of each session, which the dashboard shows',
  },
  {
    name: 'onPhase',
    shape: '(phase) => void',
    about: 'gets what such a session goes through: create, start, assemble, execute, compact, close',
  },
  {
    name: 'onStep',
    shape: '(step) => void',
    about: 'gets each step as it is done: flush, curate, slide, compact, cut, roll, recover',
  },
  {
    name: 'diagnose',
    shape: '(level, line) => void',
    about: 'lines for your own log; a level is debug, info or warn. Credentials are covered',
  },
  {
    name: 'secrets',
    shape: '{ mask(text) => text, isSecret(text) => boolean }',
    about: 'keeps credentials from models, summaries and lines',
  },
]
