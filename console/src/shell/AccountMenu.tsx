import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { ask } from '../api/client';
import { session } from '../api/session';
import { SignOutDocument } from '../api/session.generated';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { useHouse } from './house';
import { theme, themes } from './theme';

/** signOut ends the session here at once, and at the API as soon as it is told. */
export async function signOut(queries: QueryClient) {
  await ask(SignOutDocument, {}).catch(() => undefined); // a session that the API is not told of ends by itself
  session.end();
  queries.clear();
}

export function AccountMenu({ openKeys }: { openKeys: () => void }) {
  const { say, language, turn } = useWords();
  const { member, label } = useHouse();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const chosen = theme.use();
  const act = (key: string | number) => {
    if (key === 'account') void navigate({ to: '/account' });
    if (key === 'language') void turn(language === 'tr' ? 'en' : 'tr');
    if (key === 'keys') openKeys();
    if (key === 'out') void signOut(queries);
  };
  return (
    <MenuTrigger>
      <Button className="button quiet account" aria-label={`${say('app.member')}: ${member.email}`}>
        <Icon name="person" /><span className="account-name">{member.profile?.name ?? member.email}</span><Icon name="down" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <div className="account-facts"><b>{member.email}</b><span className="muted">{label('Role', member.role)}</span></div>
        <Menu onAction={act} className="menu" aria-label={say('app.member')}>
          <MenuItem id="account" className="menu-item">{say('account.open')}</MenuItem>
          <MenuItem id="language" className="menu-item">{say('app.language')}</MenuItem>
          <MenuItem id="keys" className="menu-item">{say('keys.open')}<kbd>?</kbd></MenuItem>
          <Separator className="menu-line" />
          <MenuSection
            selectionMode="single" selectedKeys={[chosen]} disallowEmptySelection className="menu-section"
            onSelectionChange={(keys) => {
              const to = themes.find((t) => keys !== 'all' && keys.has(t));
              if (to) theme.choose(to);
            }}
          >
            <Header className="menu-header">{say('app.theme')}</Header>
            {themes.map((t) => (
              <MenuItem key={t} id={t} className="menu-item choice"><Icon name="check" />{say(`app.theme.${t}`)}</MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-line" />
          <MenuItem id="out" className="menu-item">{say('app.signOut')}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
