/** An agent that climbs the ladder itself, for the help; tests run it unchanged. */
export const LADDER_EXAMPLE = `import { agentMemoryFolder, CONTENT_FORM, ContextManager, Conversation, effectivePolicy, liveSubject, openContextLog, openPolicyFile, openPromptCache, openSummaryChain } from 'plimsoll'

const { path, file } = await openPolicyFile('plimsoll.yaml')
const subject = liveSubject('agent:harbour:main', 'claude-sonnet-4-5') // whose overrides count
const { policy } = effectivePolicy({ own: { label: path, file }, store: [], chosen: null }, subject)
const clock = { now: Date.now }
const promptCache = openPromptCache({ folder: 'workspace', policy, clock })
const talk = new Conversation(Array.from({ length: 50 }, (_, i) => [ // as Anthropic's API has them; others are read as well
  { role: 'user', content: \`Where does ship \${i} lie?\` },
  { role: 'assistant', content: [{ type: 'tool_use', id: \`call_\${i}\`, name: 'read', input: { path: \`log/ship-\${i}.md\` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: \`call_\${i}\`, content: \`Ship \${i}: berth \${i % 9}.\` }] },
  { role: 'assistant', content: [{ type: 'text', text: \`At berth \${i % 9}.\` }] },
]).flat())
const context = new ContextManager({
  policy, promptCache, window: 200_000, key: 'agent:harbour:main',
  agent: {
    session: 'agent:harbour:main', form: CONTENT_FORM, clock,
    getContext: talk.getContext, setContext: talk.setContext,
    chain: openSummaryChain(policy, (name) => process.env[name]),
    memory: agentMemoryFolder('memory/context'),
    log: openContextLog(policy), // in logs.path, each kind as the policy's switches say
  },
})

const prompt = [{ role: 'user', content: 'Which berth is free?' }]
const { steps, after, warnings } = await context.beforeResponse(prompt)
const { value: answer } = await context.send(async () => {
  const request = await context.request({ parts: { identity: 'You keep the harbour log.' }, prompt })
  console.log(request.system.text, JSON.stringify(request.messages))
  return { role: 'assistant', content: 'Berth 4.' } // ask your model here
})
talk.add(...prompt, answer)
const { turns } = await context.afterResponse({ usage: { prompt: 2_100, output: 12 } })
console.log(steps, after.tokens, context.tokens, warnings, turns)
promptCache.close()
`
