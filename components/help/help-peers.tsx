import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import { PEER_DIFFERENCES } from '@/lib/view/help/beside-ccusage'

/** How sums of tokens compare with those of the peer that many have installed. */
export function HelpPeers() {
  return (
    <>
      <p>
        <code>plimsoll sessions --json</code> has the tokens of each session under <code>usage</code>,
        <code> plimsoll report --json --since all</code> those of each day in UTC under <code>days</code>. Set
        beside <code>ccusage --offline --timezone UTC</code> over sessions of Claude Code and Codex of many
        releases, all of them are equal to the token, save for these:
      </p>
      <div className="rounded-card border border-line bg-surface">
        <Table caption="Where sums differ from those of ccusage">
          <Heads text={['Where', 'ccusage', 'Plimsoll']} />
          <tbody>
            {PEER_DIFFERENCES.map(({ where, theirs, ours }) => (
              <Tr key={where}>
                <Th scope="row">{where}</Th>
                <Td>{theirs}</Td>
                <Td>{ours}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </>
  )
}
