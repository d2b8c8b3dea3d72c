import { Table, Td, Th, Tr } from '@/components/ui/table'
import { HELP_DUTIES } from '@/lib/view/help'

/** What an agent calls around each turn when it uses the library. */
export function HelpDuties() {
  return (
    <>
      <p>
        The package is a library as well: <code>import {'{ ContextManager }'} from &apos;plimsoll&apos;</code>
        . It answers how full the window is and what to send; messages, requests and compactions stay your
        agent&apos;s. The README has an example.
      </p>
      <div className="rounded-card border border-line bg-surface">
        <Table caption="What an agent calls, and when">
          <thead>
            <tr>
              <Th>When</Th>
              <Th>Call</Th>
              <Th>What it does</Th>
            </tr>
          </thead>
          <tbody>
            {HELP_DUTIES.map(({ when, call, does }) => (
              <Tr key={call}>
                <Th scope="row" className="whitespace-normal">
                  {when}
                </Th>
                <Td>
                  <code className="break-words">{call}</code>
                </Td>
                <Td>{does}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </>
  )
}
