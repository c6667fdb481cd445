// Asset settings (specification 2.8): unknown → assets and their networks.
import type { Asset, AssetNetwork, AssetSettings } from '../../domain/instrument.ts';
import { allOf, fail, mapped, ok, type Result } from '../../domain/result.ts';
import {
  answering,
  booleanField,
  isAbsent,
  isObject,
  optionalAmount,
  optionalText,
  type Parsed,
  parseRows,
  type RawObject,
  textField,
  tickerField,
  wrong,
} from './fields.ts';

/** A whole number from zero up. */
const COUNT = /^\d{1,9}$/;

/** An asset without a name is named by its ticker. One invalid network makes its asset an invalid row. */
export function parseAssets(
  body: unknown,
  asked: { readonly asset?: Asset | undefined },
): Result<Parsed<readonly AssetSettings[]>> {
  return mapped(parseRows(body, assetOf), (page) => answering(page, asked.asset, ({ asset }) => asset));
}

function assetOf(row: RawObject): Result<AssetSettings> {
  const read = allOf({
    asset: tickerField(row, 'asset'),
    name: optionalText(row, 'name'),
    status: ok(statusOf(row)),
    networks: networksOf(row),
  });
  return mapped(read, ({ name, ...rest }) => ({ ...rest, name: name ?? rest.asset }));
}

function statusOf({ status }: RawObject): AssetSettings['status'] {
  const word = typeof status === 'string' ? status.toLowerCase() : '';
  return word === 'active' || word === 'inactive' ? word : 'other';
}

/** Null or absent: an asset without a blockchain, such as INR. */
function networksOf(row: RawObject): Result<readonly AssetNetwork[]> {
  if (isAbsent(row.networks)) return ok([]);
  if (!Array.isArray(row.networks)) return wrong(row, 'networks', 'a list');
  const networks: AssetNetwork[] = [];
  for (const [index, value] of row.networks.entries()) {
    const network = isObject(value) ? networkOf(value) : fail('it is not an object');
    if (!network.ok) return fail(`network ${index + 1} of ${row.networks.length}: ${network.error}`);
    networks.push(network.value);
  }
  return ok(networks);
}

function networkOf(row: RawObject): Result<AssetNetwork> {
  return allOf({
    name: textField(row, 'name'),
    deposit: partOf(row, 'deposit', depositOf),
    withdrawal: partOf(row, 'withdraw', withdrawalOf),
  });
}

function partOf<T>(row: RawObject, field: string, parse: (part: RawObject) => Result<T>): Result<T> {
  const part = row[field];
  if (!isObject(part)) return wrong(row, field, 'an object');
  const parsed = parse(part);
  return parsed.ok ? parsed : fail(`${field}: ${parsed.error}`);
}

function depositOf(part: RawObject): Result<AssetNetwork['deposit']> {
  return allOf({
    enabled: booleanField(part, 'enabled'),
    minimum: optionalAmount(part, 'min'),
    confirmations: confirmationsOf(part),
  });
}

function withdrawalOf(part: RawObject): Result<AssetNetwork['withdrawal']> {
  return allOf({
    enabled: booleanField(part, 'enabled'),
    minimum: optionalAmount(part, 'min'),
    maximum: optionalAmount(part, 'max'),
    fee: optionalAmount(part, 'fee'),
  });
}

function confirmationsOf(part: RawObject): Result<number | null> {
  const { confirmations } = part;
  if (isAbsent(confirmations)) return ok(null);
  const count = typeof confirmations === 'string' && COUNT.test(confirmations) ? Number(confirmations) : confirmations;
  return typeof count === 'number' && COUNT.test(String(count))
    ? ok(count)
    : wrong(part, 'confirmations', 'a count of blocks');
}
