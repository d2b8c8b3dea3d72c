import { HELP_DUTIES } from '@/lib/view/help/help'
import { HELP_AGENT, HELP_OPTIONS, type HelpGiven } from '@/lib/view/help/help-agent'
import { LADDER_EXAMPLE } from '@/lib/view/help/ladder-example'

/** What an agent calls around each turn when it uses the library. */
export function HelpDuties() {
  return (
    <>
      <p>
        The package is a library as well: <code>import {'{ createContext }'} from &apos;plimsoll&apos;</code>.
        It keeps the context of your agent within its window and says what to send; messages and requests stay
        your agent&apos;s. The README begins with the few lines that it takes. What{' '}
        <code>context.fit(messages)</code> climbs there is the <code>ContextManager</code> below (
        <code>context.manager</code>), whose steps an agent may also call one by one:
      </p>
      <pre className="rounded-card border border-line bg-surface p-3 text-label whitespace-pre-wrap break-words">
        <code>{LADDER_EXAMPLE}</code>
      </pre>
      <dl className="rounded-card border border-line bg-surface text-table">
        {HELP_DUTIES.map(({ when, call, does }) => (
          <div
            key={call}
            className="grid gap-x-6 gap-y-0.5 border-t border-line px-4 py-2 first:border-0 sm:grid-cols-[12rem_minmax(0,1fr)]"
          >
            <dt className="font-medium">{when}</dt>
            <dd className="min-w-0">
              <code className="break-words">{call}</code>
              {` ${does}.`}
            </dd>
          </div>
        ))}
      </dl>
      <GivenList title="Options of the ContextManager" rows={HELP_OPTIONS} />
      <GivenList title="Fields of the agent" rows={HELP_AGENT} />
    </>
  )
}

/** Names, shapes, and what each is for. */
function GivenList({ title, rows }: { readonly title: string; readonly rows: readonly HelpGiven[] }) {
  return (
    <>
      <h3 className="font-medium">{title}</h3>
      <dl className="rounded-card border border-line bg-surface text-table">
        {rows.map(({ name, shape, about }) => (
          <div
            key={name}
            className="grid gap-x-6 gap-y-0.5 border-t border-line px-4 py-2 first:border-0 sm:grid-cols-[12rem_minmax(0,1fr)]"
          >
            <dt className="font-medium">{name}</dt>
            <dd className="min-w-0">
              <code className="break-words">{shape}</code>
              {` ${about}.`}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
