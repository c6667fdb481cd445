// Statements of what a fleet shares beside the journals: who runs, commands, reservations and samples. Reservations and
// commands wait for the standby; the others don't, since losing the last of them costs no more than a look. $1 is the
// account.

const UNHURRIED = "set_config('synchronous_commit', 'off', true) IS NOT NULL";

/** A command that nobody has taken by then is never carried out. */
export const COMMAND_LIVES_MS = 30_000;
const COMMAND_LIVES = `interval '${COMMAND_LIVES_MS} ms'`;

/** $2 role, $3 holder, $4 status. Returns the commands that wait for this process. */
export const REPORT = `
  WITH told AS (
    INSERT INTO quotekeeper.processes SELECT $1, $2, $3, clock_timestamp(), $4 WHERE ${UNHURRIED}
    ON CONFLICT (account, role, holder) DO UPDATE SET at = excluded.at, status = excluded.status
  )
  SELECT id::text, request FROM quotekeeper.commands
  WHERE account = $1 AND role = $2 AND holder = $3 AND answer IS NULL AND at > clock_timestamp() - ${COMMAND_LIVES}
  ORDER BY commands.id`;

/** $2 role, $3 holder. */
export const LEAVE = 'DELETE FROM quotekeeper.processes WHERE account = $1 AND role = $2 AND holder = $3';

/** $2 number of the command, $3 answer. */
export const ANSWER = 'UPDATE quotekeeper.commands SET answer = $3 WHERE account = $1 AND id = $2::bigint';

const OTHERS = `(
  SELECT coalesce(sum(value::numeric), 0) FROM jsonb_each_text(s.amounts - $1::text)
  WHERE $7::text IS NULL OR key IN (SELECT json_array_elements_text($7::text::json))
)`;
const granted = (room: string): string =>
  `jsonb_build_object($1::text, greatest($4::text::numeric, least($5::text::numeric, ${room})))`;
/**
 * $2 epoch, $3 resource, $4 what the account has of it, $5 what it wants, $6 the most of all accounts, $7 their names
 * as JSON, or null for whoever has some. Returns what it may have: what it has counts also where that is too much. No
 * row if another instance holds the account.
 */
export const RESERVE = `
  INSERT INTO quotekeeper.shares AS s
  SELECT $3::text, ${granted('$6::text::numeric')} FROM quotekeeper.heads WHERE account = $1 AND epoch = $2
  ON CONFLICT (resource) DO UPDATE SET amounts = s.amounts || ${granted(`$6::text::numeric - ${OTHERS}`)}
  RETURNING amounts ->> $1 AS amount`;

/** $2 epoch, $3 beginning of the resources, $4 one of them that stays. */
export const GIVE_BACK = `
  UPDATE quotekeeper.shares SET amounts = amounts - $1::text
  WHERE starts_with(resource, $3) AND resource <> $4 AND jsonb_exists(amounts, $1)
    AND EXISTS (SELECT 1 FROM quotekeeper.heads WHERE account = $1 AND epoch = $2)`;

/** $2 samples as JSON: name, label and value each. Removes what nobody wants to see any more. */
export const SAMPLE = `
  WITH old AS (DELETE FROM quotekeeper.samples WHERE account = $1 AND at < now() - interval '400 days'),
  gone AS (DELETE FROM quotekeeper.processes WHERE account = $1 AND at < now() - interval '7 days'),
  done AS (DELETE FROM quotekeeper.commands WHERE account = $1 AND at < now() - interval '30 days'),
  past AS (DELETE FROM quotekeeper.shares WHERE starts_with(resource, 'loss ')
    AND resource < 'loss ' || to_char(now() AT TIME ZONE 'UTC' - interval '2 days', 'YYYY-MM-DD'))
  INSERT INTO quotekeeper.samples
  SELECT $1, now(), r.name, r.label, r.value
  FROM json_to_recordset($2::text::json) AS r(name text, label text, value numeric)
  WHERE ${UNHURRIED}`;

// Without an account: for who looks at all of them.

const MEANT = '($1::text IS NULL OR account IN (SELECT json_array_elements_text($1::text::json)))';

/** $1 names of accounts as JSON, or null for all: each process that has told of itself, and the account's head. */
export const PROCESSES = `
  SELECT account, role, p.holder, status, round(extract(epoch FROM clock_timestamp() - at) * 1000)::float8 AS "agoMs",
    h.holder AS "heldBy", h.latch
  FROM quotekeeper.processes p FULL JOIN quotekeeper.heads h USING (account)
  WHERE ${MEANT} ORDER BY account, role, p.holder`;

/** $1 the request, $2 the processes as JSON: account, role and holder each. */
export const COMMAND = `
  INSERT INTO quotekeeper.commands (account, role, holder, request)
  SELECT r.account, r.role, r.holder, $1
  FROM json_to_recordset($2::text::json) AS r(account text, role text, holder text)
  RETURNING id::text, account, role, holder`;

/** $1 numbers of commands as JSON. */
export const ANSWERS = `
  SELECT id::text, answer FROM quotekeeper.commands
  WHERE id IN (SELECT json_array_elements_text($1::text::json)::bigint) AND answer IS NOT NULL`;

/** $1 names of accounts as JSON; $2 why. Also where nobody holds the account. */
export const LATCH_THESE = `UPDATE quotekeeper.heads SET latch = $2 WHERE ${MEANT} AND latch IS NULL`;

/** What is reserved of each resource, of losses today's. */
export const SHARES = `
  SELECT resource, coalesce(sum(value::numeric), 0)::text AS used FROM quotekeeper.shares, jsonb_each_text(amounts)
  WHERE NOT starts_with(resource, 'loss ')
    OR resource > 'loss ' || to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')
  GROUP BY resource ORDER BY resource`;
