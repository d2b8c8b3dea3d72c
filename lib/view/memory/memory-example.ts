/** How an agent is given recall, tasks and facts, for the help; a browser test runs it from the packed package. */
export const MEMORY_EXAMPLE = `import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { CONTENT_FORM, ContextManager, Conversation, countMessage, DEFAULT_POLICY, fastEstimate, KnowledgeBase, memoryEventLog, memoryFiles, RecallLibrary, recallJournal, TaskKeeper, taskFolder } from 'plimsoll'
import { openFactDatabase } from 'plimsoll/knowledge'

const folder = 'workspace/memory/context' // the dashboard reads it where "workspaces" names the workspace
mkdirSync(folder, { recursive: true })
const [session, clock, talk] = ['agent:harbour:main', { now: Date.now }, new Conversation()]
const policy = { ...DEFAULT_POLICY, semantic: { ...DEFAULT_POLICY.semantic, enabled: true } }
const agent = { session, clock, form: CONTENT_FORM, getContext: talk.getContext, setContext: talk.setContext }

const search = new RecallLibrary({ // its index outlives the process
  places: [memoryFiles('workspace')], journal: recallJournal(folder + '/recall.jsonl'), now: () => performance.now(),
  pause: (ms) => new Promise((done) => setTimeout(done, ms)),
})
const database = openFactDatabase(process.cwd() + '/facts.db')
if (!database.ok) throw new Error(database.message)
const knowledge = new KnowledgeBase({ store: database.facts, clock, newId: randomUUID })
const events = memoryEventLog(folder)
const form = { ...CONTENT_FORM, tokensOf: (message: object) => countMessage(message, fastEstimate) }
const tasks = new TaskKeeper({ ...agent, policy, form, store: taskFolder(folder), sizeOf: fastEstimate, budget: 3_000, knowledge, events })
const context = new ContextManager({ policy, window: 200_000, key: session, promptCache: null, agent, recall: { search, tasks, events } })

await tasks.add({ id: 'log', title: 'Find the log of the crane' })
await tasks.start('log')
talk.add({ role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'grep', input: { pattern: 'crane' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '/etc/crane.conf: log=/var/log/crane.log\\n'.repeat(9) }] })
const prompt = [{ role: 'user', content: 'Where does the crane controller log to?' }]
const { system, recalled } = await context.request({ parts: { identity: 'You keep the harbour.' }, prompt })
console.log(system.text, recalled?.warnings) // tasks and what is recalled are in it
const done = await tasks.complete('log', { summary: 'The crane logs to /var/log/crane.log.' })
console.log(done.ok ? done.learned.added : done.problem)
database.close()
`
