// Asset settings (specification 2.8): unknown → assets and their networks.
import type { Asset, AssetNetwork, AssetSettings } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
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
  wrong,
} from './fields.ts';

/** A whole number from zero up. */
const COUNT = /^\d{1,9}$/;

/**
 * An asset without a name goes by its ticker. One network that can't be understood makes its asset a row that can't.
 */
export function parseAssets(
  body: unknown,
  asked: { readonly asset?: Asset },
): Result<Parsed<readonly AssetSettings[]>> {
  const parsed = parseRows(body, assetOf);
  if (!parsed.ok) return parsed;
  return ok(answering(parsed.value, { asked: asked.asset, about: ({ asset }) => asset, holds: 'the asset' }));
}

function assetOf(row: RawObject): Result<AssetSettings> {
  const ticker = textField(row, 'asset');
  if (!ticker.ok) return ticker;
  const asset = ticker.value.toUpperCase();
  const name = optionalText(row, 'name');
  if (!name.ok) return name;
  const networks = networksOf(row);
  if (!networks.ok) return networks;
  return ok({ asset, name: name.value ?? asset, status: statusOf(row), networks: networks.value });
}

function statusOf({ status }: RawObject): AssetSettings['status'] {
  const word = typeof status === 'string' ? status.toLowerCase() : '';
  return word === 'active' || word === 'inactive' ? word : 'other';
}

/** Null or left out: an asset without a blockchain, as INR is. */
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
  const name = textField(row, 'name');
  if (!name.ok) return name;
  const deposit = partOf(row, 'deposit', depositOf);
  if (!deposit.ok) return deposit;
  const withdrawal = partOf(row, 'withdraw', withdrawalOf);
  if (!withdrawal.ok) return withdrawal;
  return ok({ name: name.value, deposit: deposit.value, withdrawal: withdrawal.value });
}

function partOf<T>(row: RawObject, field: string, parse: (part: RawObject) => Result<T>): Result<T> {
  const part = row[field];
  if (!isObject(part)) return wrong(row, field, 'an object');
  const parsed = parse(part);
  return parsed.ok ? parsed : fail(`${field}: ${parsed.error}`);
}

function depositOf(part: RawObject): Result<AssetNetwork['deposit']> {
  const enabled = booleanField(part, 'enabled');
  if (!enabled.ok) return enabled;
  const minimum = optionalAmount(part, 'min');
  if (!minimum.ok) return minimum;
  const confirmations = confirmationsOf(part);
  if (!confirmations.ok) return confirmations;
  return ok({ enabled: enabled.value, minimum: minimum.value, confirmations: confirmations.value });
}

function withdrawalOf(part: RawObject): Result<AssetNetwork['withdrawal']> {
  const enabled = booleanField(part, 'enabled');
  if (!enabled.ok) return enabled;
  const minimum = optionalAmount(part, 'min');
  if (!minimum.ok) return minimum;
  const maximum = optionalAmount(part, 'max');
  if (!maximum.ok) return maximum;
  const fee = optionalAmount(part, 'fee');
  if (!fee.ok) return fee;
  return ok({ enabled: enabled.value, minimum: minimum.value, maximum: maximum.value, fee: fee.value });
}

function confirmationsOf(part: RawObject): Result<number | null> {
  const { confirmations } = part;
  if (isAbsent(confirmations)) return ok(null);
  const count = typeof confirmations === 'string' && COUNT.test(confirmations) ? Number(confirmations) : confirmations;
  return typeof count === 'number' && COUNT.test(String(count))
    ? ok(count)
    : wrong(part, 'confirmations', 'a count of blocks');
}
