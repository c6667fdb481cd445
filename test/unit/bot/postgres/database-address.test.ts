// The database's URL: what it says, and that a wrong one is never quoted.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { databaseAddress, hostsText } from '../../../../src/bot/postgres/database-address.ts';
import { Secret } from '../../../../src/client/wire/secret.ts';
import { testFolder } from '../test-folder.ts';

const folder = testFolder();
const addressOf = (text: string) => databaseAddress(new Secret(text));

describe('a URL', () => {
  test('names hosts in order, with ports, and holds escaped user and password', () => {
    const address = addressOf('postgres://bot:p%40ss%2Fw@db1.example.com:6432,db2,[2001:db8::1]:7/quotes');
    expect(address).toMatchObject({ user: 'bot', password: 'p@ss/w', database: 'quotes' });
    expect(hostsText(address)).toBe('db1.example.com:6432, db2:5432, 2001:db8::1:7');
  });

  test.each<[string, ReturnType<typeof addressOf>['tls']]>([
    ['postgres://u@127.0.0.1,localhost/d', 'off'],
    ['postgres://u@127.0.0.1,db2/d', { authorities: null }],
    ['postgresql://u:p@db1/d?sslmode=disable', 'off'],
    ['postgres://u:p@db1/d?sslmode=require', 'unverified'],
    ['postgres://u:p@127.0.0.1/d?sslmode=verify-full', { authorities: null }],
  ])('%s: TLS', (text, tls) => {
    expect(addressOf(text).tls).toEqual(tls);
  });

  test('names a file of authorities', () => {
    const file = path.join(folder, 'authorities.pem');
    writeFileSync(file, 'PEM');
    expect(addressOf(`postgres://u:p@db1/d?sslrootcert=${file}`).tls).toEqual({ authorities: 'PEM' });
  });

  test.each([
    ['mysql://bot:hidden@db1/d', 'form'],
    ['postgres://bot:hidden@db1', 'form'],
    ['postgres://:hidden@db1/d', 'form'],
    ['postgres://bot:hid@den@db1/d', 'form'],
    ['postgres://bot:hidden%@db1/d', 'password with a %'],
    ['postgres://bot:hidden@db1:0/d', 'host'],
    ['postgres://bot:hidden@db1:65536/d', 'host'],
    ['postgres://bot:hidden@db 1/d', 'host'],
    ['postgres://bot:hidden@db1/d?sslmode=prefer', 'sslmode'],
    ['postgres://bot:hidden@db1/d?options=-c', 'option'],
    ['postgres://bot:hidden@db1/d?sslrootcert=/nowhere', "can't be read (ENOENT)"],
  ])('%s is refused', (text, words) => {
    const refusal = expect.objectContaining({ name: 'StartError', code: 78, message: expect.stringContaining(words) });
    expect(() => addressOf(text)).toThrow(refusal);
    expect(() => addressOf(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hid') }));
  });
});
