from tests.bot.kit import *
from tests.bot.settings_panels import *
from tests.bot.seated import open_table
async def test_it(world: World) -> None:
    print(world.text(await opened(world, world.ann)))
    s = await fill(world, world.ann, "settings","quiet-hours", begin="22:30", until="7", zone="Berlin")
    print(world.text(s))
    s = await fill(world, world.ann, "settings","quiet-hours", zone="USA")
    print(world.text(s), selects(s))
    s = await world.ann.select(reply(s), ["America/Chicago"]); print(world.text(s))
    s = await remind(world, world.ann, half=False); print(world.text(s)[:300])
    s = await switch(world, world.ann, turn_board=True); print(world.text(s)[:300])
    s = await speak(world, world.ann, "de"); print(world.text(s)[:1500])
    s = await go_away(world, world.ben, 3); print(world.text(s)[:300])
    s = await come_back(world, world.ben); print(world.text(s)[:300])
    s = await press(world, world.ben, "settings", "data", "export"); print(world.text(s)[:300])
    s = await press(world, world.ben, "settings", "data", "forget"); print(world.text(s)[:300])
    chief = a_chief(world)
    print(world.text(await opened(world, chief, "server-settings")))
    print(world.text(await opened(world, world.ann, "server-settings"))) if False else None
    print(world.text(await fill(world, chief, "server-settings", "channels", channels=[world.channel]))[:300])
    print(world.text(await fill(world, chief, "server-settings", "new-tables", threads="yes", most_tables="2"))[:600])
    print(world.text(await fill(world, chief, "server-settings", "daily", channel=world.channel)))
    print(world.text(await press(world, chief, "server-settings", "daily", "off"))[:300])
    print(world.text(await fill(world, chief, "server-settings", "matching", channel=world.channel)))
    table = await open_table(world, "bouncers", world.ann, world.ben)
    s=await picked_table(world, chief, 1); print(world.text(s))
    print(world.text(await remove_player(world, chief, 1, world.ben)))
