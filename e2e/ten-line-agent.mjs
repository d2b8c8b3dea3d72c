import * as plimsoll from 'plimsoll'
import { ask, questions } from './model.mjs'

const [talk, clock, session] = [new plimsoll.Conversation(), { now: Date.now }, 'agent:harbour:main']
const { policy } = plimsoll.resolvePolicy([
  { level: 'preset', label: 'memfas', patch: plimsoll.PRESETS.memfas },
  // Windows this small are refused otherwise.
  { level: 'session', label: 'a small window', patch: { window: { blockBelow: 0, warnBelow: 0 } } },
])
const log = plimsoll.fileContextLog({ folder: 'logs', kinds: plimsoll.LOG_KINDS, clock })
const agent = {
  ...talk,
  session,
  clock,
  log,
  form: plimsoll.CONTENT_FORM,
  cold: plimsoll.openColdStore('cold'),
}
const context = new plimsoll.ContextManager({
  policy,
  window: 6_000,
  key: session,
  promptCache: null,
  agent,
})
for (const prompt of questions.map((content) => [{ role: 'user', content }])) {
  const { steps } = await context.beforeResponse(prompt)
  const answer = await ask(
    await context.request({ parts: { identity: 'You keep the harbour log.' }, prompt }),
  )
  talk.add(...prompt, answer)
  const { drop } = await context.afterResponse()
  console.log(JSON.stringify({ steps, dropped: drop?.dropped.length ?? 0 }))
}
console.log(JSON.stringify({ status: await context.status(), ended: (await context.sessionEnd()).kind }))
