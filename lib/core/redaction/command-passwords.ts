import type { CredentialRange } from './credential-range'

/** Programs, and the flags with which they take a password on their line; its first group is the password. */
const FLAGS: readonly { readonly programs: string; readonly flag: RegExp }[] = [
  {
    programs: 'curl|wget|https?|xh',
    flag: /[ \t](?:-u|--user|--proxy-user|-U|-a|--auth)(?:[ \t=]{0,3})["']?[^\s:"'@]{0,100}:([^\s"'@]{3,200})/dg,
  },
  { programs: 'sshpass', flag: /[ \t]-p[ \t]{0,3}["']?([^\s"']{3,200})/dg },
  {
    programs: 'mysql(?:dump|admin|import|show|check)?|mariadb(?:-dump|-admin)?|mycli|7za?|7zz',
    flag: /[ \t]-p["']?([^\s"']{3,200})/dg,
  },
  { programs: 'redis-cli|valkey-cli', flag: /[ \t]-a[ \t]{1,3}["']?([^\s"']{3,200})/dg },
  {
    programs:
      'mongo(?:sh|dump|restore|export|import)?|(?:docker|podman|buildah|oras|oc|az|cf|crane|skopeo|helm registry)[ \\t]{1,3}login|rabbitmqadmin|influx',
    flag: /[ \t]-p[ \t]{1,3}["']?([^\s"']{3,200})/dg,
  },
  {
    programs: 'ldap(?:search|modify|add|delete|whoami|passwd)',
    flag: /[ \t]-w[ \t]{0,3}["']?([^\s"']{3,200})/dg,
  },
  { programs: 'smbclient|rpcclient', flag: /[ \t]-U[ \t]{0,3}["']?[^\s%"']{1,100}%([^\s"']{3,200})/dg },
  { programs: 'zip|unzip', flag: /[ \t]-P[ \t]{0,3}["']?([^\s"']{3,200})/dg },
  { programs: 'openssl', flag: /[ \t]-pass(?:in|out)?[ \t]{1,3}["']?pass:([^\s"']{3,200})/dg },
  { programs: 'xfreerdp|wfreerdp', flag: /[ \t]\/p:["']?([^\s"']{3,200})/dg },
]

// The words first: what is before and behind them is examined where one was found.
const PROGRAM = new RegExp(`\\b(?:${FLAGS.map(({ programs }) => `(${programs})`).join('|')})(?=[ \\t])`, 'g')

/** A command ends with its line, unless a backslash continues it, or where the next one begins. */
const COMMAND_END = /(?<!\\)\n|[|;]|&&|$/

const LONGEST_COMMAND = 2_000

/** Not a password: a variable, a flag, two numbers. */
const NO_PASSWORD = /^(?:\$[A-Za-z_{(]|%[A-Za-z_]|-|<|\[|\d{1,6}$|\*+$|•)/

/** Where passwords are on the lines of commands: `curl -u ada:…`, `mysql -p…`. */
export function commandPasswords(text: string): CredentialRange[] {
  const found: CredentialRange[] = []
  const starts = [...text.matchAll(PROGRAM)]
  for (const [number, match] of starts.entries()) {
    const from = match.index + match[0].length
    const next = starts[number + 1]?.index ?? text.length
    const rest = text.slice(from, Math.min(next, from + LONGEST_COMMAND))
    const command = rest.slice(0, rest.search(COMMAND_END))
    const flag = FLAGS[match.slice(1).findIndex((program) => program !== undefined)]?.flag
    if (flag === undefined) continue
    for (const { indices, 1: password = '' } of command.matchAll(flag)) {
      const place = indices?.[1]
      if (place === undefined || NO_PASSWORD.test(password)) continue
      found.push({ start: from + place[0], end: from + place[1] })
    }
  }
  return found
}
