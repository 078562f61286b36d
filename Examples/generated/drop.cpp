// Drops the latest drag on the board "default" and prints the ids of the new rows, with code that
// qdbusxml2cpp generates.

#include "droptarget.h"
#include "manager.h"

#include <QCoreApplication>
#include <QTextStream>

static const QString name = "org.dragboard.Dragboard1", root = "/org/dragboard/Dragboard1";

static void check(bool isFine, const QString &reason) {
    if (isFine) return;
    QTextStream(stderr) << "drop: " << reason << "\n";
    exit(1);
}

int main(int count, char **arguments) {
    QCoreApplication application(count, arguments);
    ManagerProxy manager(name, root, QDBusConnection::sessionBus());
    auto sessions = manager.sessions();
    check(!manager.lastError().isValid(), manager.lastError().message());
    check(!sessions.isEmpty(), "nothing is being dragged");

    DropTargetProxy board(name, root + "/board/default", QDBusConnection::sessionBus());
    board.setTimeout(INT_MAX);  // No timeout, because a drop waits for its promises.
    auto drop = board.PerformDrop(sessions.last(), "", 0, -1);
    drop.waitForFinished();
    check(!drop.isError(), drop.error().message());
    check(!drop.argumentAt<1>().isEmpty(), drop.argumentAt<0>());
    QTextStream(stdout) << drop.argumentAt<1>().join("\n") << "\n";
    return 0;
}
