import { Table, Td, Th, Tr } from '@/components/ui/table'
import { helpLines } from '@/lib/view/help'

/** The default ladder of load lines on a usual window. */
export function HelpLines() {
  const { window, reserve, budget, lines } = helpLines()
  return (
    <>
      <p>
        {`A load line is a level at which the policy does something. Shares are of the window. On a window of ${window} tokens, ${reserve} are reserved and the effective budget is ${budget}:`}
      </p>
      <div className="rounded-card border border-line bg-surface">
        <Table caption={`Load lines of the default policy on a window of ${window} tokens`}>
          <thead>
            <tr>
              <Th>Line</Th>
              <Th numeric>Share</Th>
              <Th numeric>Tokens</Th>
              <Th>What happens there</Th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Tr key={`${line.name} ${line.tokens}`}>
                <Th scope="row">{line.name}</Th>
                <Td numeric>{line.share}</Td>
                <Td numeric>{line.tokens}</Td>
                <Td>{line.does}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
      <p>
        Every session is measured against the policy in force for it: these defaults, your settings file, the
        configuration of its runtime, and what you override for its agent, channel, model or for itself. The
        fullest sessions name the file that their line comes from. What your runtime really does is decided by
        its own settings; its compactions are shown where they happened.
      </p>
    </>
  )
}
