// Completion scripts for three shells, generated from the command line's own tree of commands: they start no program.
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command and what may follow it. Its words are letters, digits and dashes. */
interface Node {
  /** `''` for the program, `notify test` for a subcommand. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly Described[];
}

interface Described {
  readonly name: string;
  readonly summary: string;
}

/** Ends in a line feed. Anything that is neither a command nor an option is completed as a file name. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program, '');
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](nodes);
}

function nodesOf(command: Command, path: string): readonly Node[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((each) => command.commands.includes(each));
  const commands = below.map((each) => ({ name: each.name(), summary: each.summary() || each.description() }));
  const options = help
    .visibleOptions(command)
    .flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ name: long, summary: description }],
    );
  const own = { path, commands, options };
  return [own, ...below.flatMap((each) => nodesOf(each, `${path} ${each.name()}`.trim()))];
}

const namesOf = (described: readonly Described[]): string => described.map(({ name }) => name).join(' ');

/**
 * The command so far, as long as its words are commands. Not called `path`, because zsh uses that for its search path.
 */
function walk(nodes: readonly Node[], words: string): string {
  const inner = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  return `  local found='' word next
  for word in ${words}; do
    next="\${found:+$found }$word"
    case "$next" in
      ${inner.join('|')}) found=$next ;;
    esac
  done`;
}

function bashScript(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, commands, options }) => {
    return `    '${path}') commands='${namesOf(commands)}' options='${namesOf(options)}' ;;`;
  });
  return `# bash completion of quotekeeper: source this, or put it into /etc/bash_completion.d/quotekeeper.
_quotekeeper() {
  local current=\${COMP_WORDS[COMP_CWORD]} commands='' options=''
${walk(nodes, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$found" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  while IFS= read -r next; do COMPREPLY+=("$next"); done < <(
    case "$current" in
      -*) compgen -W "$options" -- "$current" ;;
      *) if [ -n "$commands" ]; then compgen -W "$commands" -- "$current"; else compgen -f -- "$current"; fi ;;
    esac
  )
}
complete -o filenames -F _quotekeeper quotekeeper ./quotekeeper
`;
}

function zshScript(nodes: readonly Node[]): string {
  const described = (list: readonly Described[]): string =>
    list.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ');
  const cases = nodes.map(({ path, commands, options }) => {
    return `    '${path}') commands=(${described(commands)}) options=(${described(options)}) ;;`;
  });
  return `#compdef quotekeeper
# zsh completion of quotekeeper: put it as _quotekeeper into a folder of $fpath, or source it after compinit.
_quotekeeper() {
  local -a commands options
${walk(nodes, `"\${(@)words[2,CURRENT-1]}"`)}
  case "$found" in
${cases.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _quotekeeper ]]; then _quotekeeper "$@"; else compdef _quotekeeper quotekeeper; fi
`;
}

function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const words = path.split(' ').filter((word) => word !== '');
    const others = commands.length > 0 ? `; and not __fish_seen_subcommand_from ${namesOf(commands)}` : '';
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const when = quoted(`${seen === '' ? 'true' : seen}${others}`);
    const line = (flag: string, word: string, { summary }: Described): string =>
      ['complete -c quotekeeper', '-n', when, flag, word, '-d', quoted(summary)].join(' ');
    return [
      ...commands.map((each) => line('-f -a', each.name, each)),
      ...options.map((each) => line('-l', each.name.slice(2), each)),
    ];
  });
  const head = '# fish completion of quotekeeper: put it into ~/.config/fish/completions/quotekeeper.fish.';
  return `${[head, ...lines].join('\n')}\n`;
}

/** In single quotes, which the text itself can't contain: all three shells read that alike. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’').replaceAll('\\', '/').replaceAll('\n', ' ')}'`;
